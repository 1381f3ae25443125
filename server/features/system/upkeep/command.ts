import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { AppError } from '#contract/app-error.ts'
import { lowerPriority } from '#data/lower-priority.ts'

/** How far a command has got, according to the lines it prints on standard error. */
export interface CommandProgress {
  stage: string
  done: number | null
  total: number | null
}

interface CommandOptions {
  signal: AbortSignal
  timeoutMs: number
  onProgress?: (progress: CommandProgress) => void
}

interface EndedCommand {
  status: number | null
  stdout: string
  /** Anything other than progress, as sentences. */
  messages: string
}

export type RunCommand = (args: string[], options: CommandOptions) => Promise<EndedCommand>

/** The product's command line, run as a program: the server imports nothing from it. */
const program = join(import.meta.dirname, '../../../../scripts/awaz.ts')
const maxOutputChars = 8 * 1024 * 1024
const maxMessageChars = 4000
/** The command removes what it has written before it ends. Less than the time that a stopping server has. */
const terminateTimeoutMs = 3000

/**
 * Returns a function that runs a command of the product with the settings in `env`, at low priority, and returns how it ended. A signal or
 * the timeout terminates the command, which then removes what it has written, and makes the call throw; the command also ends when this
 * process does.
 */
export function createCommandRunner(env: NodeJS.ProcessEnv): RunCommand {
  return async (args, { signal, timeoutMs, onProgress }) => {
    signal.throwIfAborted()
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program, ...args], {
      env,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    lowerPriority(child)
    const closed = once(child, 'close')
    const [output, errors] = [child.stdout, child.stderr]
    if (!output || !errors) throw new Error('The command has no output') // both are pipes
    let killTimer: NodeJS.Timeout | undefined
    const stop = () => {
      child.kill('SIGTERM')
      killTimer ??= setTimeout(() => child.kill('SIGKILL'), terminateTimeoutMs)
    }
    const limit = AbortSignal.timeout(timeoutMs)
    const ending = AbortSignal.any([signal, limit])
    ending.addEventListener('abort', stop, { once: true })
    const text = { stdout: '', messages: '' }
    output.setEncoding('utf8').on('data', (chunk: string) => {
      if (text.stdout.length + chunk.length > maxOutputChars) stop()
      else text.stdout += chunk
    })
    createInterface({ input: errors }).on('line', (line) => {
      const progress = readProgress(line)
      if (progress) onProgress?.(progress)
      else text.messages = `${text.messages}${line.trim()} `.slice(-maxMessageChars)
    })
    try {
      const [status] = (await closed) as [number | null]
      signal.throwIfAborted()
      if (limit.aborted) throw new AppError('unavailable', 'The command took too long and was ended.')
      return { status, stdout: text.stdout, messages: text.messages.trim() }
    } finally {
      ending.removeEventListener('abort', stop)
      clearTimeout(killTimer)
    }
  }
}

/** `Comparing...`, `Verifying files 3/20` or `Check 3 of 19: settings...` (scripts/cli/progress.ts). */
function readProgress(line: string): CommandProgress | undefined {
  const check = /^Check (\d+) of (\d+): (.+)\.\.\.$/.exec(line)
  if (check) return { stage: String(check[3]), done: Number(check[1]), total: Number(check[2]) }
  const counted = /^(\S.*) (\d+)\/(\d+)$/.exec(line)
  if (counted) return { stage: String(counted[1]), done: Number(counted[2]), total: Number(counted[3]) }
  const begun = /^(\S.*)\.\.\.$/.exec(line)
  return begun ? { stage: String(begun[1]), done: null, total: null } : undefined
}
