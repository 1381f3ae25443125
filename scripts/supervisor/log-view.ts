import { styleText } from 'node:util'
import { levels, parseEntry, priorityOf, nameLevel, type LogEntry } from './log-entry.ts'
import type { LogFormat } from './log-format.ts'

interface LogViewOptions {
  format: LogFormat
  write: (text: string) => void
  /** The level of lines that are not entries, such as those of a crash. Default: warning. */
  level?: number
}

/** Fields that have a fixed place in the line, or are pointless on a single machine. */
const ownPlace = new Set(['level', 'time', 'msg', 'service', 'pid', 'hostname', 'err', 'v'])

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

/** Creates a writer for the supervisor's own sentences, one entry per line. Their level is info unless another is given. */
export function createSentenceLog({ level = levels.info, ...options }: LogViewOptions) {
  const view = createLogView('supervisor', { level, ...options })
  return (text: string): void => {
    for (const line of text.split('\n')) view(line.trim().replaceAll(/ {2,}/g, ': '))
  }
}

/**
 * Renders an entry as a human-readable line: time, level, service, message, then `key=value` pairs, as in logfmt and easy to `grep`. An
 * error's message ends the line, and its stack, including causes, follows on further lines.
 */
function renderPlain(
  service: string,
  entry: LogEntry,
  { time, isColoured }: Pick<LogFormat, 'time' | 'isColoured'>,
): string[] {
  const error = readError(entry.err)
  const parts = [
    ...renderTime(entry.time, time),
    paint(nameLevel(entry.level).padEnd(7), entry.level, isColoured),
    `${service}:`,
    escape(entry.msg ?? ''),
    ...Object.entries(entry).flatMap(([key, value]) => (ownPlace.has(key) ? [] : [renderPair(key, value)])),
    ...error.pairs,
  ]
  return [parts.join(' '), ...error.stack.map((line) => `    ${escape(line)}`)]
}

function renderTime(time: number | undefined, kind: LogFormat['time']): string[] {
  if (kind === 'none') return []
  const at = new Date(time ?? Date.now())
  return [kind === 'iso' ? at.toISOString() : at.toLocaleTimeString('en-GB')]
}

function paint(text: string, level: number, isColoured: boolean): string {
  if (!isColoured || level === levels.info) return text
  const problem = level >= levels.error ? 'red' : 'yellow'
  return styleText(level >= levels.warning ? problem : 'gray', text, { validateStream: false })
}

/** Writes a value without quotes if it has no blanks, quotes or confusing characters. */
function renderPair(key: string, value: unknown): string {
  const isBare = typeof value === 'string' && /^[\p{L}\p{N}_./:@+-]+$/u.test(value)
  return `${escape(key)}=${isBare ? value : escape(JSON.stringify(value))}`
}

/** Reads an error as stored by pino: `stack` and `message` include its causes. */
function readError(err: unknown): { pairs: string[]; stack: string[] } {
  if (err === undefined) return { pairs: [], stack: [] }
  if (typeof err !== 'object' || err === null) return { pairs: [renderPair('error', err)], stack: [] }
  const { type, message, stack, name: _sameAsType, ...others } = err as Record<string, unknown> // of JSON
  const pairs = Object.entries({ error: [type, message].filter(Boolean).join(': '), ...others })
  const lines = typeof stack === 'string' ? stack.split('\n') : []
  const firstCall = lines.findIndex((line) => /^\s+at /.test(line))
  return {
    pairs: pairs.filter(([key]) => key !== 'aggregateErrors').map(([key, value]) => renderPair(key, value)),
    // The lines before the first call repeat what `error` says.
    stack: firstCall === -1 ? [] : lines.slice(firstCall).map((line) => line.trim()),
  }
}

/** Escapes characters that would begin another entry, move a terminal's cursor or change the direction of the text. */
function escape(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (sign) => {
    const code = sign.codePointAt(0) ?? 0
    return `\\u${code.toString(16).padStart(4, '0')}`
  })
}
