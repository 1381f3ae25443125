const levelNames: Record<number, string> = { 30: 'info', 40: 'warning', 50: 'error', 60: 'fatal' }

/**
 * Creates a writer for the log lines of a service. In a container or a pipe each line is passed on unchanged (JSON); on a terminal only
 * warnings and errors are shown, as sentences.
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

/** Parses a line of pino; undefined for anything else. */
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
