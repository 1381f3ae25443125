import { z } from 'zod'
import { AppError } from '#contract/app-error.ts'
import { parseProgramOutput, runProgram } from './run-program.ts'

const Answer = z.object({ version: z.string() })
const cpuSeconds = 10
const timeoutMs = 20_000

let known: string | undefined

/** Returns the version of the ffmpeg that measures uploads; null where none runs. Read once and kept while the server runs. */
export async function readFfmpegVersion(): Promise<string | null> {
  if (known !== undefined) return known
  try {
    const ended = await runProgram('ffmpeg-version-main.ts', {
      args: [],
      cpuSeconds,
      stop: AbortSignal.timeout(timeoutMs),
    })
    known = parseProgramOutput(Answer, ended, (cause) => new AppError('unavailable', cause.message)).version
    return known
  } catch {
    return null
  }
}
