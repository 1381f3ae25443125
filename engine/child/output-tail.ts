import type { Readable } from 'node:stream'

/** The last lines of a process's output. */
export interface OutputTail {
  /** Reads `stream` until it ends and keeps its last lines. */
  follow(stream: Readable | null): void
  /** Returns the last lines, oldest first. */
  text(): string
}

const maxLineLength = 2000

/**
 * @param maxLines how many lines are kept, 40 by default
 * @param onLine called with every complete line as it arrives
 */
export function createOutputTail({
  maxLines = 40,
  onLine,
}: { maxLines?: number; onLine?: (line: string) => void } = {}): OutputTail {
  const lines: string[] = []

  function add(line: string): void {
    if (line === '') return
    lines.push(line.slice(0, maxLineLength))
    if (lines.length > maxLines) lines.shift()
    onLine?.(line)
  }

  return {
    follow(stream) {
      let rest = ''
      stream?.setEncoding('utf8')
      stream?.on('data', (chunk: string) => {
        const parts = (rest + chunk).split('\n')
        rest = (parts.pop() ?? '').slice(0, maxLineLength)
        for (const part of parts) add(part.trimEnd())
      })
      stream?.on('end', () => add(rest))
    },
    text: () => lines.join('\n'),
  }
}
