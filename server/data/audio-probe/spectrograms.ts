import { z } from 'zod'
import { AppError } from '#contract/app-error.ts'
import { parseProgramOutput, runProgram } from './run-program.ts'

const Levels = z.object({
  maxHz: z.number().positive(),
  /** For each channel, columns of rows, one byte per cell: see the engine's `computeSpectrogram`. */
  channels: z.array(z.base64()),
})

/** As many rows as the shortest frame has frequencies. */
export const spectrogramRows = 128

interface Part {
  fromSeconds: number
  seconds: number
  channelCount: 1 | 2
  columns: number
}

/** Enough for formats without seeking, which are decoded from the beginning. */
const cpuSeconds = 20
const timeoutMs = 30_000

/** Computes the spectrogram of a part of a recording. Throws `unreadable_audio`, `unavailable`, or the signal's reason. */
export async function computeSpectrogram(
  path: string,
  { fromSeconds, seconds, channelCount, columns }: Part,
  signal: AbortSignal,
): Promise<z.infer<typeof Levels>> {
  const args = [path, ...[fromSeconds, seconds, channelCount, columns, spectrogramRows].map(String)]
  const stop = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
  const ended = await runProgram('spectrogram-main.ts', { args, cpuSeconds, stop })
  signal.throwIfAborted()
  return parseProgramOutput(Levels, ended, interruptedError)
}

function interruptedError(cause: Error): AppError {
  return new AppError('unavailable', 'Reading the recording was interrupted. Please try again.', { cause })
}
