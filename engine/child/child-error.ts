import { AppError } from '#contract/app-error.ts'

interface ChildExit {
  name: string
  exitCode: number | null
  signal: NodeJS.Signals | null
  stderrTail: string
}

/** The child process exited during a call: native code crashed, or the system ran out of memory. */
export class ChildDied extends AppError {
  override name = 'ChildDied'
  readonly exitCode: number | null
  readonly signal: NodeJS.Signals | null
  /** The last lines of the child's output, for the log; never shown to users. */
  readonly stderrTail: string

  constructor({ name, exitCode, signal, stderrTail }: ChildExit) {
    const status = signal ?? `exit code ${exitCode ?? 'unknown'}`
    super('internal', `${name} stopped unexpectedly (${status}).`, {
      help: signal === 'SIGKILL' ? 'The machine may be short of memory; try a smaller model.' : 'Please try again.',
      cause: stderrTail || undefined,
    })
    this.exitCode = exitCode
    this.signal = signal
    this.stderrTail = stderrTail
  }
}

/** A method of the child threw; the child keeps running. `cause` is the stack in the child. */
export class ChildMethodError extends Error {
  override name = 'ChildMethodError'
}
