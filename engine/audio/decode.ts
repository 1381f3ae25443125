import { createWriteStream } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import { AppError } from '#contract/app-error.ts'
import type { TranscriptionWarning } from '#contract/transcription.ts'

import {
  decodeError,
  decodingCancelledError,
  decodingTimeoutError,
  emptyAudioError,
  maxDurationError,
  systemError,
} from './decode-errors.ts'
import { isTruncated } from './declared-size.ts'
import { sampleRate } from './decoded-audio.ts'
import type { DecodedAudio } from './decoded-audio.ts'
import { spawnFfmpeg } from './ffmpeg-process.ts'
import { findFfmpeg } from './ffmpeg.ts'
import { timestampFilter, ffmpegInputArguments } from './input-arguments.ts'
import { createPcmReader } from './pcm-reader.ts'
import type { PcmReader } from './pcm-reader.ts'

const defaultMaxDurationMs = 8 * 3_600_000

export interface MeasureOptions {
  signal?: AbortSignal
  /** Longer recordings are refused. Default 8 hours. */
  maxDurationMs?: number
  /** Time limit of the decoding itself. Default 15 minutes. */
  timeoutMs?: number
  /** Called as samples arrive, with the milliseconds of audio decoded so far. The total is not known before the end. */
  onProgress?: (decodedMs: number) => void
  /** Called with the process id of ffmpeg. */
  onStart?: (pid: number) => void
  /** The ffmpeg to run. Default: the one that findFfmpeg returns. */
  ffmpegPath?: string
}

export interface DecodeOptions extends MeasureOptions {
  /** An existing folder; the samples are written to `pcm.s16le` in it (115 MB per hour and channel). */
  workDir: string
}

/** What is known about a decoded recording, without its samples. */
export type MeasuredAudio = Omit<DecodedAudio, 'pcmPath'>

/**
 * Decodes a recording of any supported format in one ffmpeg pass to 16 kHz samples on disk, and collects its statistics along the
 * way. More than two channels are mixed into one, because it is unknown which of them belong together. Times match those of a player: a
 * late start and gaps are filled with silence.
 *
 * Throws an AppError and leaves nothing in `workDir`: `unreadable_audio` (missing, empty, truncated, not audio, time limit),
 * `unsupported_audio` (another format, such as a playlist; too long; too many channels), `no_audio` (no sound track), `job_cancelled`, `disk_full`.
 */
export async function decodeAudio(sourcePath: string, options: DecodeOptions): Promise<DecodedAudio> {
  const partPath = join(options.workDir, 'pcm.s16le.part')
  const pcmPath = join(options.workDir, 'pcm.s16le')
  try {
    const measured = await decodeTo(() => createWriteStream(partPath), sourcePath, options)
    await rename(partPath, pcmPath)
    return { pcmPath, ...measured }
  } catch (error) {
    await rm(partPath, { force: true })
    throw systemError(error)
  }
}

/** Decodes like `decodeAudio` but discards the samples, so it needs no disk space however long the recording is. */
export async function measureAudio(sourcePath: string, options: MeasureOptions): Promise<MeasuredAudio> {
  try {
    return await decodeTo(createNullSink, sourcePath, options)
  } catch (error) {
    throw systemError(error)
  }
}

function createNullSink(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() })
}

async function decodeTo(openSink: () => Writable, sourcePath: string, options: MeasureOptions): Promise<MeasuredAudio> {
  const { signal, maxDurationMs = defaultMaxDurationMs, timeoutMs = 15 * 60_000, onProgress, onStart } = options
  await assertHasContent(sourcePath)
  const ffmpegPath = options.ffmpegPath ?? (await findFfmpeg()).path
  const reader = createPcmReader(onProgress)
  // One second more than allowed, to distinguish a recording exactly as long as the limit from a longer one.
  const args = decodeArguments(sourcePath, maxDurationMs + 1000)
  const stderr = await runFfmpeg(ffmpegPath, args, { openSink, reader, signal, timeoutMs, onStart })
  const measured = summarize(reader, stderr || ((await isTruncated(sourcePath)) ? truncated : ''))
  if (measured.durationMs > maxDurationMs) throw maxDurationError(maxDurationMs)
  return measured
}

async function assertHasContent(path: string): Promise<void> {
  const info = await stat(path).catch((cause: unknown) => {
    throw new AppError('unreadable_audio', `The file ${basename(path)} was not found.`, { cause })
  })
  if (!info.isFile()) throw new AppError('unreadable_audio', `${basename(path)} is not a file.`)
  if (info.size === 0) {
    throw new AppError('unreadable_audio', 'This file is empty (0 bytes).', {
      help: 'Export or upload the recording again.',
    })
  }
}

function decodeArguments(sourcePath: string, limitMs: number): string[] {
  const filter = `${timestampFilter},aformat=sample_fmts=s16:sample_rates=${sampleRate}`
  const output = `-af ${filter} -t ${limitMs / 1000} -c:a pcm_s16le -fflags +bitexact -f wav -`
  return [...ffmpegInputArguments(sourcePath), ...output.split(' ')]
}

/** Runs ffmpeg until it exits and returns its stderr. */
async function runFfmpeg(
  ffmpegPath: string,
  args: string[],
  run: {
    openSink: () => Writable
    reader: PcmReader
    signal?: AbortSignal
    timeoutMs: number
    onStart?: (pid: number) => void
  },
): Promise<string> {
  const timeout = AbortSignal.timeout(run.timeoutMs)
  const stop = run.signal ? AbortSignal.any([run.signal, timeout]) : timeout
  const ffmpeg = spawnFfmpeg(ffmpegPath, args, stop)
  if (ffmpeg.pid) run.onStart?.(ffmpeg.pid)
  try {
    await pipeline(ffmpeg.stdout, run.reader.transform, run.openSink())
  } catch (error) {
    ffmpeg.kill()
    if (!stop.aborted) throw error
  } finally {
    await ffmpeg.ended.catch(() => undefined)
  }
  if (run.signal?.aborted) throw decodingCancelledError()
  if (timeout.aborted) throw decodingTimeoutError(run.timeoutMs)
  const { exit, stderr } = await ffmpeg.ended
  if (exit !== 'code 0') throw decodeError(stderr, exit)
  return stderr
}

/** Stands in for ffmpeg output, because ffmpeg does not report this. */
const truncated = 'Partial file: the header gives a larger size'

/** `problems` describes what is wrong with the file; empty for an intact one. */
function summarize(reader: PcmReader, problems: string): MeasuredAudio {
  const result = reader.finish()
  if (problems && (result?.sampleCount ?? 0) < minSamples) throw decodeError(problems, 'hardly any samples')
  if (!result || result.sampleCount === 0) throw emptyAudioError()
  const { sampleCount, ...statistics } = result
  return {
    sampleRate,
    durationMs: Math.round((sampleCount * 1000) / sampleRate),
    ...statistics,
    warnings: [...(problems ? [damagedWarning] : []), ...mixWarnings(statistics.sourceChannelCount)],
  }
}

function mixWarnings(channelCount: number): TranscriptionWarning[] {
  if (channelCount <= 2) return []
  const message =
    `This recording has ${channelCount} channels, which were mixed into one. Two of them saved as a stereo file are kept apart ` +
    'as two speakers.'
  return [{ code: 'mixed_channels', message }]
}

// One second: the first 3 kB of a call are not a call, and some bytes of a text file or a program may look like an MP3 frame.
const minSamples = sampleRate

const damagedWarning: TranscriptionWarning = {
  code: 'damaged_audio',
  message: 'A part of this recording is damaged or missing; what could be read was used.',
}
