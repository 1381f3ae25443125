import { fstatSync } from 'node:fs'
import type { Config } from '#data/config.ts'

/** How log entries are written. */
export interface LogFormat {
  isJson: boolean
  /** Whether to put `<N>` before each line, which tells journald its priority: sd-daemon(3). */
  hasPriority: boolean
  /** `none` for the journal, which adds its own time. */
  time: 'iso' | 'clock' | 'none'
  isColoured: boolean
}

/** What standard output is. */
export interface OutputKind {
  isTerminal: boolean
  isJournal: boolean
  /** Whether NO_COLOR is set: https://no-color.org */
  isColourless: boolean
}

export function findOutputKind(env: NodeJS.ProcessEnv): OutputKind {
  return {
    isTerminal: Boolean(process.stdout.isTTY),
    isJournal: isJournal(env.JOURNAL_STREAM, 1),
    isColourless: Boolean(env.NO_COLOR),
  }
}

/**
 * Returns the format for LOG_FORMAT. If it is not set, a pipe or a file gets JSON, as it always has: the programs behind it, such as a
 * container's log driver, parse the lines.
 */
export function chooseLogFormat(
  setting: Config['logFormat'],
  { isTerminal, isJournal, isColourless }: OutputKind,
): LogFormat {
  const isJson = setting === 'json' || (setting === 'auto' && !isTerminal && !isJournal)
  if (isJson) return { isJson, hasPriority: isJournal, time: 'none', isColoured: false }
  if (isJournal) return { isJson, hasPriority: true, time: 'none', isColoured: false }
  return { isJson, hasPriority: false, time: isTerminal ? 'clock' : 'iso', isColoured: isTerminal && !isColourless }
}

/**
 * Returns whether a file descriptor is connected to the journal: JOURNAL_STREAM holds the journal's device and inode (systemd.exec(5)), but
 * every child process inherits the variable, even if its output goes elsewhere.
 */
export function isJournal(journalStream: string | undefined, descriptor: number): boolean {
  if (!journalStream) return false
  try {
    const { dev, ino } = fstatSync(descriptor, { bigint: true })
    return journalStream === `${dev}:${ino}`
  } catch {
    return false
  }
}
