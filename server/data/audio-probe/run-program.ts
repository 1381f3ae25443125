import { spawn, type ChildProcess, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import { AppError } from '#contract/app-error.ts'
import { ErrorCode } from '#contract/errors.ts'
import { lowerPriority } from '../lower-priority.ts'

/** Decoders run as programs, because the server imports nothing from the engine (docs/decisions/upload-probe.md). */
const folder = join(import.meta.dirname, '../../../engine')

interface ProgramRun {
  args: string[]
  /** CPU time limit for the program and for each of its children. */
  cpuSeconds: number
  /** Kills the program and its children. */
  stop: AbortSignal
  /** An open file that the program writes to as its descriptor 3. */
  outputFd?: number
}

interface EndedProgram {
  output: string
  stderr: string
  /** For instance `code 0`. */
  end: string
}

const Refusal = z.object({ error: z.object({ code: ErrorCode, message: z.string(), help: z.string().optional() }) })

/** Runs a program in the engine's folder that reads an untrusted file, and returns what it wrote. */
export async function runProgram(name: string, run: ProgramRun): Promise<EndedProgram> {
  const { stop } = run
  const child = startProgram(name, run)
  const ended = new Promise<string>((resolve) => {
    child.once('close', (code, killedBy) => resolve(killedBy ? `signal ${killedBy}` : `code ${code}`))
    child.once('error', (error) => resolve(error.message))
  })
  const kill = () => killGroup(child)
  if (stop.aborted) kill()
  stop.addEventListener('abort', kill, { once: true })
  try {
    const [output, stderr, end] = await Promise.all([text(child.stdout), text(child.stderr), ended])
    return { output, stderr, end }
  } finally {
    stop.removeEventListener('abort', kill)
    kill() // an ffmpeg that outlived its program
  }
}

/** Starts a program in its own process group: the CPU limit applies to node and ffmpeg separately, and both are killed together. */
function startProgram(name: string, { args, cpuSeconds, outputFd }: ProgramRun) {
  // The soft limit identifies the cause (SIGXCPU); the hard one kills with SIGKILL.
  const limited = `ulimit -St ${cpuSeconds}; ulimit -Ht ${cpuSeconds + 5}; exec "$0" "$@"`
  const command = [process.execPath, '--max-old-space-size=512', join(folder, name), ...args]
  const child = spawn('/bin/sh', ['-c', limited, ...command], {
    stdio: ['pipe', 'pipe', 'pipe', outputFd ?? 'ignore'],
    detached: true,
  }) as ChildProcessWithoutNullStreams // the types declare only three descriptors
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

/**
 * Returns what a program wrote, parsed by a schema. Throws the AppError that the program reports, `unreadable_audio` where it used up
 * its CPU time, and `interrupted` where it ended without output.
 */
export function parseProgramOutput<Answer>(
  schema: z.ZodType<Answer>,
  { output, stderr, end }: EndedProgram,
  interrupted: (cause: Error) => AppError,
): Answer {
  const cause = new Error(`The program ended with ${end}: ${stderr.slice(-2000)}`)
  if (end === 'signal SIGXCPU') {
    throw new AppError('unreadable_audio', 'Reading this recording takes too much processor time.', {
      help: 'Export or upload the recording again.',
      cause,
    })
  }
  if (!output.endsWith('\n')) throw interrupted(cause)
  const answer = z.union([schema, Refusal]).parse(JSON.parse(output))
  if (isRefusal(answer)) throw new AppError(answer.error.code, answer.error.message, { help: answer.error.help })
  return answer
}

function isRefusal(answer: unknown): answer is z.infer<typeof Refusal> {
  return Refusal.safeParse(answer).success
}
