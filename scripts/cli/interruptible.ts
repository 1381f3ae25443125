import { createProgress, type Progress } from './progress.ts'

export interface RunContext {
  progress: Progress
  /** Aborted by Ctrl-C, by SIGTERM, when the terminal or SSH session ends, or when the server that runs the command over IPC exits. */
  signal: AbortSignal
}

/** Exit status of a command ended by Ctrl-C: 128 + SIGINT. */
export const interruptedStatus = 130
const endings = ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'] as const

/** Runs a command until it ends or a signal aborts it. Returns the exit status: 0, or 130 when interrupted. */
export async function runInterruptible(work: (context: RunContext) => Promise<void>): Promise<number> {
  const run = async (context: RunContext) => {
    await work(context)
    return 0
  }
  return runWithStatus(run, { interrupted: 'Interrupted; nothing was written.' })
}

/** Runs a command that returns its exit status. Where a signal aborts it, prints the sentence `interrupted` and returns 130. */
export async function runWithStatus(
  work: (context: RunContext) => Promise<number>,
  { interrupted }: { interrupted: string },
): Promise<number> {
  return withProgress(async (context) => {
    try {
      return await work(context)
    } catch (error) {
      if (!context.signal.aborted) throw error
      context.progress.end()
      console.error(interrupted)
      return interruptedStatus
    }
  })
}

/** Runs work with a progress bar. A signal aborts it; repeated signals count as one, because bootstrap.mjs passes each on. */
export async function withProgress<Value>(work: (context: RunContext) => Promise<Value>): Promise<Value> {
  const progress = createProgress({ stream: process.stderr })
  const abort = new AbortController()
  const onSignal = () => abort.abort()
  for (const ending of endings) process.on(ending, onSignal)
  try {
    return await work({ progress, signal: abort.signal })
  } finally {
    for (const ending of endings) process.off(ending, onSignal)
    progress.end()
  }
}
