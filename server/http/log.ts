import { pino, type Logger, type LoggerOptions } from 'pino'
import type { Config } from '#data/config.ts'

/**
 * Creates the JSON log. Callers log only ids and figures; the redaction is a second line of defence against passwords, tokens and
 * codes in the log. `hooks`: see `createOutageHooks`.
 */
export function createLog({ logLevel }: Pick<Config, 'logLevel'>, hooks: LoggerOptions['hooks']): Logger {
  return pino({
    level: logLevel,
    base: { service: 'server' },
    redact: ['password', '*.password', 'token', '*.token', '*.authorization', '*.cookie'],
    hooks,
  })
}
