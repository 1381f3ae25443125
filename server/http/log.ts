import { pino, type DestinationStream, type Logger } from 'pino'
import type { Config } from '#data/config.ts'

/**
 * The JSON log. Callers log ids and figures alone; the redaction is a second line of defence against what must never stand in a
 * log: passwords, tokens, codes.
 */
export function createLog({ logLevel }: Pick<Config, 'logLevel'>, destination?: DestinationStream): Logger {
  const options = {
    level: logLevel,
    base: { service: 'server' },
    redact: ['password', '*.password', 'token', '*.token', '*.authorization', '*.cookie'],
  }
  return destination ? pino(options, destination) : pino(options)
}
