import { spawn, type ChildProcess } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import { AppError } from '#contract/app-error.ts'
import { maxChannels } from '#contract/audio-channels.ts'
import { ErrorCode } from '#contract/errors.ts'
import { lowerPriority } from '../lower-priority.ts'

const Measured = z.object({
  durationMs: z.int().nonnegative(),
  channels: z.int().min(1).max(maxChannels),
  /** Two channels with different sound. */
  isStereo: z.boolean(),
  /** Heights of the waveform, 0 to 1, one list a channel. */
  peaks: z.array(z.array(z.number())),
  /** The same, finer: see Waveform. */
  waveform: z.object({
    binMs: z.int().positive(),
    channels: z.array(z.string().transform((heights) => Buffer.from(heights, 'base64'))),
  }),
})
const Refused = z.object({ error: z.object({ code: ErrorCode, message: z.string(), help: z.string().optional() }) })
const ProbeResponse = z.union([Measured, Refused])

export type MeasuredAudio = z.infer<typeof Measured>

/** Measures uploaded files by decoding them once. */
export interface AudioProbe {
  /**
   * Returns duration, channels and waveform of a file. Users take turns. Throws errors meant for the uploader (`unreadable_audio`,
   * `no_audio`, `unsupported_audio`; `unavailable` when the probe was killed), or the signal's reason.
   */
  measure(path: string, options: { ownerId: string; signal?: AbortSignal }): Promise<MeasuredAudio>
}

/** The engine's decoder as a program, because the server imports nothing from the engine (docs/decisions/upload-probe.md). */
const program = join(import.meta.dirname, '../../../engine/probe-main.ts')
const timeoutMs = 6 * 60_000
/** Many uploads must not take the CPU from the engine, and those of one user not the probe from others. */
export const probeLimits = { concurrency: 2, concurrencyPerUser: 1 }
/**
 * A tenth of the usual speed: speech codecs at their lowest rates hold an hour in 2.5 MB, which takes 2 s. It stops a small file that
 * decodes to many hours, or never ends.
 */
const bytesPerCpuSecond = 100_000

interface MeasureLimits {
  /** Longer recordings are refused. */
  maxDurationMs: number
  /** CPU time of any file, to which its size adds. Default 15 s. */
  baseCpuSeconds?: number
}

interface ProbeOptions extends MeasureLimits {
  /** Runs a task at the turn of a user, within `probeLimits`. */
  takeTurn: <Result>(userId: string, task: () => Promise<Result>, signal?: AbortSignal) => Promise<Result>
}

/** Opens the probe. */
export function openAudioProbe({ takeTurn, ...limits }: ProbeOptions): AudioProbe {
  return {
    measure: (path, { ownerId, signal }) => takeTurn(ownerId, () => runProbe(path, limits, signal), signal),
  }
}

async function runProbe(
  path: string,
  { maxDurationMs, baseCpuSeconds = 15 }: MeasureLimits,
  signal: AbortSignal | undefined,
): Promise<MeasuredAudio> {
  const limit = AbortSignal.timeout(timeoutMs)
  const stop = signal ? AbortSignal.any([signal, limit]) : limit
  const child = startProbe(path, maxDurationMs, baseCpuSeconds + Math.ceil((await stat(path)).size / bytesPerCpuSecond))
  const ended = new Promise<string>((resolve) => {
    child.once('close', (code, killedBy) => resolve(killedBy ? `signal ${killedBy}` : `code ${code}`))
    child.once('error', (error) => resolve(error.message))
  })
  const kill = () => killGroup(child)
  if (stop.aborted) kill()
  stop.addEventListener('abort', kill, { once: true })
  try {
    const [output, stderr, end] = await Promise.all([text(child.stdout), text(child.stderr), ended])
    signal?.throwIfAborted()
    if (limit.aborted) throw new AppError('unreadable_audio', 'Reading this file takes too long.')
    return parseResponse(output, { stderr, end })
  } finally {
    stop.removeEventListener('abort', kill)
    kill() // an ffmpeg that outlived its probe
  }
}

/** Starts the probe in its own process group: the CPU limit holds for node and for ffmpeg each, and both are killed together. */
function startProbe(path: string, maxDurationMs: number, cpuSeconds: number) {
  // The soft limit identifies the cause (SIGXCPU); the hard one kills with SIGKILL.
  const limited = `ulimit -St ${cpuSeconds}; ulimit -Ht ${cpuSeconds + 5}; exec "$0" "$@"`
  const command = [process.execPath, '--max-old-space-size=512', program, path, String(maxDurationMs)]
  const child = spawn('/bin/sh', ['-c', limited, ...command], { stdio: ['pipe', 'pipe', 'pipe'], detached: true })
  child.stdin.on('error', () => undefined) // it exited first
  lowerPriority(child)
  return child
}

function killGroup({ pid }: ChildProcess) {
  try {
    if (pid) process.kill(-pid, 'SIGKILL')
  } catch {
    // All have exited.
  }
}

function parseResponse(output: string, { stderr, end }: { stderr: string; end: string }): MeasuredAudio {
  const cause = new Error(`The audio probe ended with ${end}: ${stderr.slice(-2000)}`)
  if (end === 'signal SIGXCPU') throw tooCostlyError(cause)
  if (!output.endsWith('\n')) throw interruptedError(cause)
  const response = ProbeResponse.parse(JSON.parse(output))
  if (!('error' in response)) return response
  throw new AppError(response.error.code, response.error.message, { help: response.error.help })
}

function tooCostlyError(cause: Error): AppError {
  return new AppError('unreadable_audio', 'Reading this recording takes too much processor time.', {
    help: 'Export or upload the recording again.',
    cause,
  })
}

function interruptedError(cause: Error): AppError {
  return new AppError('unavailable', 'Reading the recording was interrupted. Please upload it again.', { cause })
}
