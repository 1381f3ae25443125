import { AppError } from '#contract/app-error.ts'
import type { ErrorCode } from '#contract/errors.ts'

const formatsHelp = 'Supported formats are MP3, WAV, M4A, FLAC, OGG, MP4 and WEBM.'
const uploadAgainHelp = 'Export or upload the recording again.'

// Messages of ffmpeg (2018 to today) and the error shown to the user. The first match wins.
const knownErrors: { pattern: RegExp; code: ErrorCode; message: string; help: string }[] = [
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

/** Signals from outside, which say nothing about the file: the system ran out of memory, or ffmpeg was stopped. */
const externalSignals = ['signal SIGKILL', 'signal SIGTERM', 'signal SIGINT', 'signal SIGHUP']
/** Exit codes of a shell that does not find the program, or cannot run it. */
const startFailures = ['code 126', 'code 127']

/** Returns the error of a failed ffmpeg run. `reason` is the exit code or signal; the output of ffmpeg becomes the cause. */
export function decodeError(stderr: string, reason: string): AppError {
  const cause = new Error(`ffmpeg ended with ${reason}: ${stderr.trim()}`)
  if (startFailures.includes(reason))
    return new AppError('unavailable', 'Audio cannot be read: ffmpeg does not start.', { cause })
  if (externalSignals.includes(reason)) return interruptedError(cause)
  if (reason === 'signal SIGXCPU') return cpuTimeError(cause)
  const known = knownErrors.find(({ pattern }) => pattern.test(stderr))
  if (known) return new AppError(known.code, known.message, { help: known.help, cause })
  return new AppError('unreadable_audio', 'This file cannot be read as an audio recording.', {
    help: formatsHelp,
    cause,
  })
}

function interruptedError(cause: Error): AppError {
  return new AppError('unavailable', 'Reading the recording was interrupted. Please try again.', { cause })
}

/** The file took more processor time than any recording of its size needs. */
function cpuTimeError(cause: Error): AppError {
  return new AppError('unreadable_audio', 'Reading this recording takes too much processor time.', {
    help: uploadAgainHelp,
    cause,
  })
}

/** Returns the error of a failure to write or read our own files, or to start ffmpeg. */
export function systemError(cause: unknown): AppError {
  if (cause instanceof AppError) return cause
  if (cause instanceof Error && 'code' in cause && cause.code === 'ENOSPC') {
    return new AppError('disk_full', 'The disk is full, so the recording could not be read.', { cause })
  }
  return new AppError('internal', 'The recording could not be read because of a fault of this system.', { cause })
}

/** Returns the error for a sound track without a single sample. */
export function emptyAudioError(): AppError {
  return new AppError('no_audio', 'This recording is empty: it holds no sound at all.', { help: uploadAgainHelp })
}

export function decodingCancelledError(): AppError {
  return new AppError('job_cancelled', 'Reading the recording was cancelled.')
}

export function decodingTimeoutError(timeoutMs: number): AppError {
  return new AppError('unreadable_audio', `Reading the recording took longer than ${formatDuration(timeoutMs)}.`, {
    help: uploadAgainHelp,
  })
}

export function maxDurationError(maxDurationMs: number): AppError {
  return new AppError('unsupported_audio', `The recording is longer than ${formatDuration(maxDurationMs)}.`, {
    help: 'Cut it into shorter parts.',
  })
}

/** Returns the error of a recording with more channels than are read. */
export function maxChannelsError(channelCount: number, maxChannels: number): AppError {
  return new AppError(
    'unsupported_audio',
    `This recording has ${channelCount} channels; at most ${maxChannels} are read.`,
    {
      help: 'Save the channels of two speakers as a stereo file, or all of them as mono: ffmpeg -i recording.wav -ac 1 mono.wav',
    },
  )
}

function formatDuration(ms: number): string {
  const [amount, unit] = ms % 3_600_000 === 0 ? [ms / 3_600_000, 'hour'] : toMinutesOrSeconds(ms)
  return `${amount} ${unit}${amount === 1 ? '' : 's'}`
}

function toMinutesOrSeconds(ms: number): [number, string] {
  return ms % 60_000 === 0 ? [ms / 60_000, 'minute'] : [Math.max(1, Math.round(ms / 1000)), 'second']
}
