import { createWriteStream } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import { AppError } from '#contract/app-error.ts'
import type { TranscriptionWarning } from '#contract/transcription.ts'

import { cancelled, decodeFailure, emptySound, systemFailure, tookTooLong, tooLong } from './decode-errors.ts'
import { sampleRate } from './decoded-audio.ts'
import type { DecodedAudio } from './decoded-audio.ts'
import { spawnFfmpeg } from './ffmpeg-process.ts'
import { findFfmpeg } from './ffmpeg.ts'
import { createPcmReader } from './pcm-reader.ts'
import type { PcmReader } from './pcm-reader.ts'

const defaultMaxDurationMs = 8 * 3_600_000

export interface MeasureOptions {
  signal?: AbortSignal
  /** A longer recording is refused. Default 8 hours. */
  maxDurationMs?: number
  /** Limit of the decoding itself. Default 15 minutes. */
  timeoutMs?: number
  /** Called as samples come in, with the milliseconds of sound decoded so far. The whole length is not known before the end. */
  onProgress?: (decodedMs: number) => void
  /** Called with the process id of ffmpeg. */
  onStart?: (pid: number) => void
  /** The ffmpeg to run. Default: what findFfmpeg finds. */
  ffmpegPath?: string
}

export interface DecodeOptions extends MeasureOptions {
  /** An existing folder; the samples become `pcm.s16le` in it (115 MB an hour a channel). */
  workDir: string
}

/** What is known of a recording without its samples. */
export type MeasuredAudio = Omit<DecodedAudio, 'pcmPath'>

/**
 * Decodes a recording of any supported format in one ffmpeg pass to 16 kHz samples on disk, and gathers its statistics on the way.
 * More than two channels become two. Times are those a player shows: sound that begins late or pauses is filled with silence.
 *
 * Fails with an AppError and leaves nothing in `workDir`: `unreadable_audio` (missing, empty, cut, not audio, time limit),
 * `unsupported_audio` (another format, such as a playlist; too long), `no_audio` (no sound track), `job_cancelled`, `disk_full`.
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
    throw systemFailure(error)
  }
}

/** Like `decodeAudio`, and keeps no samples: takes no room on the disk, however long the recording is. */
export async function measureAudio(sourcePath: string, options: MeasureOptions): Promise<MeasuredAudio> {
  try {
    return await decodeTo(discard, sourcePath, options)
  } catch (error) {
    throw systemFailure(error)
  }
}

function discard(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() })
}

async function decodeTo(openSink: () => Writable, sourcePath: string, options: MeasureOptions): Promise<MeasuredAudio> {
  const { signal, maxDurationMs = defaultMaxDurationMs, timeoutMs = 15 * 60_000, onProgress, onStart } = options
  await requireContent(sourcePath)
  const ffmpegPath = options.ffmpegPath ?? (await findFfmpeg()).path
  const reader = createPcmReader(onProgress)
  // One second more than allowed, to tell a recording of exactly the limit from a longer one.
  const args = decodeArguments(sourcePath, maxDurationMs + 1000)
  const stderr = await runFfmpeg(ffmpegPath, args, { openSink, reader, signal, timeoutMs, onStart })
  const measured = summarise(reader, stderr)
  if (measured.durationMs > maxDurationMs) throw tooLong(maxDurationMs)
  return measured
}

async function requireContent(path: string): Promise<void> {
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

/** The whitelists keep a text file that holds a playlist from opening other files; `file:` keeps a name from being an option. */
function decodeArguments(sourcePath: string, limitMs: number): string[] {
  const guards = '-nostdin -v error -protocol_whitelist file -format_whitelist wav,mp3,flac,ogg,mov,matroska,aac'
  const streams = '-map 0:a:0 -vn -sn -dn'
  // async=1 fills gaps in the timestamps (a paused browser recording) and a late start with silence.
  const filter = `aresample=async=1:first_pts=0,aformat=sample_fmts=s16:sample_rates=${sampleRate}:channel_layouts=mono|stereo`
  const output = `-af ${filter} -t ${limitMs / 1000} -c:a pcm_s16le -fflags +bitexact -f wav -`
  return [...guards.split(' '), '-i', `file:${sourcePath}`, ...streams.split(' '), ...output.split(' ')]
}

/** Runs ffmpeg to its end and answers with what it said on stderr. */
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
  const limit = AbortSignal.timeout(run.timeoutMs)
  const stop = run.signal ? AbortSignal.any([run.signal, limit]) : limit
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
  if (run.signal?.aborted) throw cancelled()
  if (limit.aborted) throw tookTooLong(run.timeoutMs)
  const { exit, stderr } = await ffmpeg.ended
  if (exit !== 'code 0') throw decodeFailure(stderr, exit)
  return stderr
}

function summarise(reader: PcmReader, stderr: string): MeasuredAudio {
  const result = reader.finish()
  if (stderr && (result?.sampleCount ?? 0) < leastSamples) throw decodeFailure(stderr, 'hardly any samples')
  if (!result || result.sampleCount === 0) throw emptySound()
  const { sampleCount, ...statistics } = result
  return {
    sampleRate,
    durationMs: Math.round((sampleCount * 1000) / sampleRate),
    ...statistics,
    warnings: stderr ? [damagedWarning] : [],
  }
}

// 100 ms. In a text or a program there are bytes that look like a frame of MP3: no recording.
const leastSamples = sampleRate / 10

const damagedWarning: TranscriptionWarning = {
  code: 'damaged_audio',
  message: 'A part of this recording is damaged or missing; what could be read was used.',
}
