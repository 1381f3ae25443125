import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface MessageRow {
  situation: string
  text: string
  /** Section of the accounts specification, or `ours`. */
  section: string
}

/** Reads the table of docs/messages.md (server) or docs/messages-web.md (web app). */
export function readMessages(fileName: 'messages.md' | 'messages-web.md' = 'messages.md'): MessageRow[] {
  const file = readFileSync(join(import.meta.dirname, '..', 'docs', fileName), 'utf8')
  return file
    .split('\n')
    .filter((line) => /^\| [a-z]/.test(line))
    .map((line) => {
      const [situation = '', text = '', section = ''] = line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim())
      return { situation, text, section }
    })
}

const texts = new Map(readMessages().map(({ situation, text }) => [situation, text]))

/** Returns the expected message for a situation. Throws if the table does not list the situation. */
export function message(situation: string): string {
  const text = texts.get(situation)
  if (text === undefined) throw new Error(`docs/messages.md has no situation "${situation}"`)
  return text
}
