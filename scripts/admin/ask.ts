import { createInterface } from 'node:readline/promises'

interface Terminal {
  input: NodeJS.ReadableStream & { isTTY?: boolean }
  output: NodeJS.WritableStream
}

/** Asks a yes-or-no question. Returns false for any answer other than y, and where the input is not a terminal. */
export async function askOnTerminal(
  question: string,
  { input, output }: Terminal = { input: process.stdin, output: process.stdout },
): Promise<boolean> {
  if (!input.isTTY) return false
  const lines = createInterface({ input, output })
  try {
    const closed = new Promise<string>((resolve) => {
      lines.once('close', () => resolve(''))
    })
    const answer = await Promise.race([lines.question(`${question} [y/N] `), closed])
    return /^y(es)?$/i.test(answer.trim())
  } finally {
    lines.close()
  }
}
