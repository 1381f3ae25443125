import { levels, parseEntry, priorityOf } from './log-entry.ts'
import type { LogFormat } from './log-format.ts'
import { renderPlain } from './plain-entry.ts'

interface LogViewOptions {
  format: LogFormat
  write: (text: string) => void
  /** The level of lines that are no entries, such as a crash. Default: warning. */
  level?: number
}

/** Creates a writer for the output of a service, line by line, in the format of the product's log. */
export function createLogView(service: string, { format, write, level = levels.warning }: LogViewOptions) {
  return (line: string): void => {
    const known = parseEntry(line)
    if (!known && line.trim() === '') return
    const entry = known ?? { level, time: Date.now(), service, msg: line }
    const prefix = format.hasPriority ? `<${priorityOf(entry.level)}>` : ''
    const lines = format.isJson ? [known ? line : JSON.stringify(entry)] : renderPlain(service, entry, format)
    write(lines.map((each) => `${prefix}${each}\n`).join(''))
  }
}

/** Creates a writer for sentences of the supervisor itself, an entry for each line. Their level is info unless another is given. */
export function createSentenceLog({ level = levels.info, ...options }: LogViewOptions) {
  const view = createLogView('supervisor', { level, ...options })
  return (text: string): void => {
    for (const line of text.split('\n')) view(line.trim().replaceAll(/ {2,}/g, ': '))
  }
}
