import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import { AppError } from '#contract/app-error.ts'
import { ErrorCode } from '#contract/errors.ts'
import { createTurnstile } from './turnstile.ts'

const Measured = z.object({
  durationMs: z.int().nonnegative(),
  channels: z.union([z.literal(1), z.literal(2)]),
  /** Two channels with different sound. */
  isStereo: z.boolean(),
  /** Heights of the waveform, 0 to 1, one list a channel. */
  peaks: z.array(z.array(z.number())),
})
const Refused = z.object({ error: z.object({ code: ErrorCode, message: z.string(), help: z.string().optional() }) })
const Answer = z.union([Measured, Refused])

export type MeasuredAudio = z.infer<typeof Measured>

/** Decodes a file once to say what it is. */
export interface AudioProbe {
  /**
   * Duration, channels and waveform of a file. Fails with the sentence for the person who uploaded it (`unreadable_audio`,
   * `no_audio`, `unsupported_audio`), or with the signal's reason.
   */
  measure(path: string, signal?: AbortSignal): Promise<MeasuredAudio>
}

/** The engine's decoder, as a program: the server imports nothing of the engine (docs/decisions/upload-probe.md). */
const program = join(import.meta.dirname, '../../../engine/probe-main.ts')
const limitMs = 6 * 60_000
/** Two files at a time: a crowd of uploads must not take the engine's processors away. */
const atOnce = 2

/** Opens the probe; `tempDir` holds the decoded samples while it works. */
export function openAudioProbe({ tempDir }: { tempDir: string }): AudioProbe {
  const turnstile = createTurnstile(atOnce)
  return {
    measure: (path, signal) =>
      turnstile(async () => {
        signal?.throwIfAborted()
        await mkdir(tempDir, { recursive: true, mode: 0o700 })
        const workDir = await mkdtemp(join(tempDir, 'probe-'))
        try {
          return await runProbe(path, workDir, signal)
        } finally {
          await rm(workDir, { recursive: true, force: true })
        }
      }),
  }
}

async function runProbe(path: string, workDir: string, signal?: AbortSignal): Promise<MeasuredAudio> {
  const limit = AbortSignal.timeout(limitMs)
  const stop = signal ? AbortSignal.any([signal, limit]) : limit
  const child = spawn(process.execPath, ['--max-old-space-size=512', program, path, workDir], {
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => resolve())
    child.once('error', () => resolve())
  })
  const kill = () => child.kill('SIGKILL')
  stop.addEventListener('abort', kill, { once: true })
  try {
    const [output, stderr] = await Promise.all([text(child.stdout), text(child.stderr), ended])
    signal?.throwIfAborted()
    if (limit.aborted) throw new AppError('unreadable_audio', 'Reading this file takes too long.')
    return readAnswer(output, stderr)
  } finally {
    stop.removeEventListener('abort', kill)
  }
}

function readAnswer(output: string, stderr: string): MeasuredAudio {
  if (!output) throw new Error(`The audio probe ended without an answer: ${stderr.slice(-2000)}`)
  const answer = Answer.parse(JSON.parse(output))
  if (!('error' in answer)) return answer
  throw new AppError(answer.error.code, answer.error.message, { help: answer.error.help })
}
