import { AppError } from '#contract/app-error.ts'
import type { ErrorCode } from '#contract/errors.ts'

const formatsHelp = 'Supported formats are MP3, WAV, M4A, FLAC, OGG, MP4 and WEBM.'
const uploadAgainHelp = 'Export or upload the recording again.'

// What ffmpeg says (2018 to today) and what that means to a person. The first that matches counts.
const failures: { pattern: RegExp; code: ErrorCode; message: string; help: string }[] = [
  {
    pattern: /matches no streams/,
    code: 'no_audio',
    message: 'This file has no sound in it.',
    help: 'Choose a recording with a sound track.',
  },
  {
    pattern: /not on whitelist/i,
    code: 'unsupported_audio',
    message: 'This file is not an audio recording in a supported format.',
    help: formatsHelp,
  },
  {
    pattern: /moov atom not found|partial file|ended prematurely|truncat/i,
    code: 'unreadable_audio',
    message: 'This recording is incomplete: a part of the file is missing.',
    help: uploadAgainHelp,
  },
  {
    pattern: /decoder .*not found|unknown decoder|no decoder/i,
    code: 'unsupported_audio',
    message: 'The sound in this file is encoded in a way that cannot be read here.',
    help: formatsHelp,
  },
  {
    pattern: /cannot allocate memory/i,
    code: 'unsupported_audio',
    message: 'The sound in this file needs too much memory to be read.',
    help: formatsHelp,
  },
]

/** A signal from outside says nothing about the file: the system ran out of memory, or somebody stopped ffmpeg. */
const outsideSignals = ['signal SIGKILL', 'signal SIGTERM', 'signal SIGINT', 'signal SIGHUP']
/** What a shell exits with when it finds no program, or none that runs. */
const notStarted = ['code 126', 'code 127']

/** The failure of an ffmpeg run as a sentence. `reason` is the exit code or signal; ffmpeg's own words become the cause. */
export function decodeFailure(stderr: string, reason: string): AppError {
  const cause = new Error(`ffmpeg ended with ${reason}: ${stderr.trim()}`)
  if (notStarted.includes(reason))
    return new AppError('unavailable', 'Audio cannot be read: ffmpeg does not start.', { cause })
  if (outsideSignals.includes(reason)) return interrupted(cause)
  if (reason === 'signal SIGXCPU') return tooCostly(cause)
  const known = failures.find(({ pattern }) => pattern.test(stderr))
  if (known) return new AppError(known.code, known.message, { help: known.help, cause })
  return new AppError('unreadable_audio', 'This file cannot be read as an audio recording.', {
    help: formatsHelp,
    cause,
  })
}

function interrupted(cause: Error): AppError {
  return new AppError('unavailable', 'Reading the recording was interrupted. Please try again.', { cause })
}

/** The file took more processor time than any recording of its size. */
function tooCostly(cause: Error): AppError {
  return new AppError('unreadable_audio', 'Reading this recording takes too much processor time.', {
    help: uploadAgainHelp,
    cause,
  })
}

/** A failure to write or read our own files, or to start ffmpeg. */
export function systemFailure(cause: unknown): AppError {
  if (cause instanceof AppError) return cause
  if (cause instanceof Error && 'code' in cause && cause.code === 'ENOSPC') {
    return new AppError('disk_full', 'The disk is full, so the recording could not be read.', { cause })
  }
  return new AppError('internal', 'The recording could not be read because of a fault of this system.', { cause })
}

/** ffmpeg ran to its end and found a sound track without a single sample. */
export function emptySound(): AppError {
  return new AppError('no_audio', 'This recording is empty: it holds no sound at all.', { help: uploadAgainHelp })
}

export function cancelled(): AppError {
  return new AppError('job_cancelled', 'Reading the recording was cancelled.')
}

export function tookTooLong(timeoutMs: number): AppError {
  return new AppError('unreadable_audio', `Reading the recording took longer than ${describeTime(timeoutMs)}.`, {
    help: uploadAgainHelp,
  })
}

export function tooLong(maxDurationMs: number): AppError {
  return new AppError('unsupported_audio', `The recording is longer than ${describeTime(maxDurationMs)}.`, {
    help: 'Cut it into shorter parts.',
  })
}

function describeTime(ms: number): string {
  const [amount, unit] = ms % 3_600_000 === 0 ? [ms / 3_600_000, 'hour'] : splitMinutes(ms)
  return `${amount} ${unit}${amount === 1 ? '' : 's'}`
}

function splitMinutes(ms: number): [number, string] {
  return ms % 60_000 === 0 ? [ms / 60_000, 'minute'] : [Math.max(1, Math.round(ms / 1000)), 'second']
}
