import { z } from 'zod'

/** The levels of pino, and `silent`, which logs nothing. */
export const LogLevel = z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
export type LogLevel = z.infer<typeof LogLevel>

/** How entries are written; `auto` depends on the type of standard output. */
export const LogFormat = z.enum(['auto', 'plain', 'json'], 'must be auto, plain or json')
