import { AppError } from '#contract/app-error.ts'

interface ChildDiedFacts {
  name: string
  exitCode: number | null
  signal: NodeJS.Signals | null
  stderrTail: string
}

/** The child process ended in the middle of its work: a crash of native code, or the system ran out of memory. */
export class ChildDied extends AppError {
  override name = 'ChildDied'
  readonly exitCode: number | null
  readonly signal: NodeJS.Signals | null
  /** The last lines the child wrote, for the log; never for a user. */
  readonly stderrTail: string

  constructor({ name, exitCode, signal, stderrTail }: ChildDiedFacts) {
    const how = signal ?? `exit code ${exitCode ?? 'unknown'}`
    super('internal', `${name} stopped unexpectedly (${how}).`, {
      help: signal === 'SIGKILL' ? 'The machine may be short of memory; try a smaller model.' : 'Please try again.',
      cause: stderrTail || undefined,
    })
    this.exitCode = exitCode
    this.signal = signal
    this.stderrTail = stderrTail
  }
}

/** A method of the child threw; the child itself goes on. `cause` is the stack in the child. */
export class ChildMethodError extends Error {
  override name = 'ChildMethodError'
}
