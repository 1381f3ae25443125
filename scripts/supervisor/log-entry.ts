import { z } from 'zod'

/** An entry of pino's log: pino's own fields, and whatever the caller logged. */
const LogEntry = z.looseObject({ level: z.number(), time: z.number().optional(), msg: z.string().optional() })
export type LogEntry = z.infer<typeof LogEntry>

/** Numbers of pino's levels. */
export const levels = { debug: 20, info: 30, warning: 40, error: 50, fatal: 60 } as const

/** Parses a line logged by pino; undefined for anything else, such as the output of a crash. */
export function parseEntry(line: string): LogEntry | undefined {
  if (!line.startsWith('{')) return undefined
  try {
    return LogEntry.safeParse(JSON.parse(line)).data
  } catch {
    return undefined
  }
}

/** Returns the syslog(3) priority that journald stores: `journalctl -p warning` shows priorities up to 4. */
export function priorityOf(level: number): number {
  if (level >= levels.fatal) return 2
  if (level >= levels.error) return 3
  if (level >= levels.warning) return 4
  return level >= levels.info ? 6 : 7
}

export function nameLevel(level: number): string {
  const found = Object.entries(levels).findLast(([, number]) => number <= level)
  return found?.[0] ?? 'trace'
}
