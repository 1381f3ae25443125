import { pino, type DestinationStream, type Logger } from 'pino'
import type { Config } from '#data/config.ts'

/**
 * Creates the JSON log. Callers log ids and figures alone; the redaction is a second line of defence against passwords, tokens and
 * codes in the log.
 */
export function createLog({ logLevel }: Pick<Config, 'logLevel'>, destination?: DestinationStream): Logger {
  const options = {
    level: logLevel,
    base: { service: 'server' },
    redact: ['password', '*.password', 'token', '*.token', '*.authorization', '*.cookie'],
  }
  return destination ? pino(options, destination) : pino(options)
}
