import { stat } from 'node:fs/promises'
import { z } from 'zod'
import { AppError } from '#contract/app-error.ts'
import { maxChannels } from '#contract/audio-channels.ts'
import { parseProgramOutput, runProgram } from './run-program.ts'

const Measured = z.object({
  durationMs: z.int().nonnegative(),
  channels: z.int().min(1).max(maxChannels),
  /** Whether it has two channels that differ. */
  isStereo: z.boolean(),
  /** Heights of the waveform, 0 to 1, one list per channel. */
  peaks: z.array(z.array(z.number())),
  /** The waveform at a finer resolution: see Waveform. */
  waveform: z.object({
    binMs: z.int().positive(),
    channels: z.array(z.string().transform((heights) => Buffer.from(heights, 'base64'))),
  }),
})

export type MeasuredAudio = z.infer<typeof Measured>

/** Measures uploaded files by decoding them once. */
export interface AudioProbe {
  /**
   * Returns duration, channels and waveform of a file. Users take turns. Throws errors meant for the uploader (`unreadable_audio`,
   * `no_audio`, `unsupported_audio`; `unavailable` when the probe was killed), or the signal's reason.
   */
  measure(path: string, options: { ownerId: string; signal?: AbortSignal }): Promise<MeasuredAudio>
}

const timeoutMs = 6 * 60_000
/** Keeps many uploads from starving the engine of CPU, and one user's uploads from blocking the probe for others. */
export const probeLimits = { concurrency: 2, concurrencyPerUser: 1 }
/**
 * A tenth of the usual speed: speech codecs at their lowest rates hold an hour in 2.5 MB, which takes 2 s. Stops a small file that
 * decodes to many hours or never ends.
 */
const bytesPerCpuSecond = 100_000

interface MeasureLimits {
  /** Longer recordings are rejected. */
  maxDurationMs: number
  /** CPU time that any file gets, plus a share for its size. Default 15 s. */
  baseCpuSeconds?: number
}

interface ProbeOptions extends MeasureLimits {
  /** Runs a task when it is the user's turn, within `probeLimits`. */
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
  const cpuSeconds = baseCpuSeconds + Math.ceil((await stat(path)).size / bytesPerCpuSecond)
  const ended = await runProgram('probe-main.ts', { args: [path, String(maxDurationMs)], cpuSeconds, stop })
  signal?.throwIfAborted()
  if (limit.aborted) throw new AppError('unreadable_audio', 'Reading this file takes too long.')
  return parseProgramOutput(Measured, ended, interruptedError)
}

function interruptedError(cause: Error): AppError {
  return new AppError('unavailable', 'Reading the recording was interrupted. Please upload it again.', { cause })
}
