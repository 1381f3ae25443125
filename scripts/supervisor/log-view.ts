const levelNames: Record<number, string> = { 30: 'info', 40: 'warning', 50: 'error', 60: 'fatal' }

/**
 * How a service's log line is shown. In a container or a pipe every line goes through as it is (JSON, one a line); on a terminal a
 * person reads warnings and errors as sentences and is spared the rest.
 */
export function createLogView(
  service: string,
  { isTerminal, write }: { isTerminal: boolean; write: (text: string) => void },
) {
  return (line: string) => {
    if (!isTerminal) return write(`${line}\n`)
    const entry = parseEntry(line)
    if (!entry) return write(`${service}: ${line}\n`)
    if (entry.level < 40) return
    const reason = entry.err?.message ? `: ${entry.err.message}` : ''
    write(`${service} ${levelNames[entry.level] ?? entry.level}: ${entry.msg}${reason}\n`)
  }
}

interface LogEntry {
  level: number
  msg: string
  err?: { message?: string }
}

/** A pino line as an object, or undefined for anything else. */
function parseEntry(line: string): LogEntry | undefined {
  if (!line.startsWith('{')) return undefined
  try {
    const value: unknown = JSON.parse(line)
    return isEntry(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isEntry(value: unknown): value is LogEntry {
  return (
    typeof value === 'object' && value !== null && 'level' in value && typeof value.level === 'number' && 'msg' in value
  )
}
