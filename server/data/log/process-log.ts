import { pino, type DestinationStream, type Logger, type LoggerOptions } from 'pino'
import { readLogContext } from './log-context.ts'
import type { LogLevel } from './log-settings.ts'

export interface ProcessLogOptions {
  service: 'server' | 'engine'
  /** The level set by LOG_LEVEL. */
  level: LogLevel
  /** See `createOutageHooks`. */
  hooks?: Pick<NonNullable<LoggerOptions['hooks']>, 'logMethod'>
  /** Default: standard output. */
  destination?: DestinationStream
}

/** The log of a process, whose level can be changed while it runs. */
export interface ProcessLog {
  log: Logger
  level(): LogLevel
  setLevel(level: LogLevel): void
}

/**
 * Creates the log of a process, one JSON object per line, which the supervisor formats by LOG_FORMAT. Callers log only ids and figures; the
 * redaction is a second line of defense against passwords, tokens and codes in the log.
 *
 * A hook checks the level: pino copies the parent's level to a child only once, and a job of hours would keep the level it began with.
 */
export function createProcessLog({ service, level, hooks, destination }: ProcessLogOptions): ProcessLog {
  let current = level
  const options: LoggerOptions = {
    level: 'trace',
    base: service === 'engine' ? { service, pid: process.pid } : { service },
    mixin: () => ({ ...readLogContext() }),
    redact: ['password', '*.password', 'token', '*.token', '*.authorization', '*.cookie'],
    hooks: {
      logMethod(args, method, number) {
        if (number < numberOf(current)) return
        if (hooks?.logMethod) hooks.logMethod.call(this, args, method, number)
        else method.apply(this, args)
      },
    },
  }
  return {
    log: destination ? pino(options, destination) : pino(options),
    level: () => current,
    setLevel: (next) => (current = next),
  }
}

/** Returns whether level `a` logs everything that level `b` logs. */
export function logsAtLeast(a: LogLevel, b: LogLevel): boolean {
  return numberOf(a) <= numberOf(b)
}

function numberOf(level: LogLevel): number {
  return pino.levels.values[level] ?? Infinity
}
