import { Piscina } from 'piscina'
import { AppError } from '#contract/app-error.ts'
import type { ErrorBody } from '#contract/errors.ts'
import { maxLaneThreads, type HeavyLane } from '#server/security/heavy-reads.ts'
import {
  writeDetails,
  writeFiles,
  writeVersion,
  type TranscriptTaskOutcome,
  type TranscriptTasks,
} from './transcript-tasks.ts'

/** Several times what the longest call needs when written as a Word file. */
const maxHeapMb = 1_024
/** Much of a transcript becomes garbage after a moment: with V8's 48 MB, a three-hour call takes 100 MB more. */
const maxYoungHeapMb = 8
/** Below the server and its password threads: one user's file must not slow down another's sign-in. */
const niceness = 10
/** Up to about ten minutes of speech, writing here is quicker than starting a thread. */
const maxBytesHere = 100_000

export interface TranscriptThreads {
  /**
   * Runs a task of transcript-tasks.ts and returns its contents. Throws errors meant for the caller, `unavailable` if it takes too long,
   * and the signal's reason once that aborts, which also ends the thread.
   */
  run: <Name extends keyof TranscriptTasks>(
    name: Name,
    task: TranscriptTasks[Name],
    signal: AbortSignal,
  ) => Promise<Buffer[]>
  /** Returns the current number of threads. */
  threadCount: () => number
  close: () => Promise<void>
}

/**
 * Opens threads that read stored transcripts and format them: a long call takes seconds of computing, which would hold up every other
 * request. A thread ends after being idle for a while, freeing the memory it used. Callers take turns beforehand. Short transcripts need no
 * thread, unless they become Word files.
 */
export function createTranscriptThreads({ timeoutMs = 120_000, idleTimeoutMs = 10_000 } = {}): TranscriptThreads {
  const pools = { file: openPool('file', idleTimeoutMs), page: openPool('page', idleTimeoutMs) }

  async function runInThread<Name extends keyof TranscriptTasks>(
    name: Name,
    task: TranscriptTasks[Name],
    signal: AbortSignal,
  ): Promise<TranscriptTaskOutcome> {
    const limit = AbortSignal.timeout(timeoutMs)
    return pools[lanes[name]].run(task, { name, signal: AbortSignal.any([signal, limit]) }).catch((error: unknown) => {
      signal.throwIfAborted()
      throw limit.aborted ? busyError() : error
    })
  }

  return {
    async run(name, task, signal) {
      signal.throwIfAborted()
      const outcome = await (isShort(task) ? functions[name](task) : runInThread(name, task, signal))
      if ('error' in outcome) throw toAppError(outcome.error)
      return outcome.contents.map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength))
    },
    threadCount: () => pools.file.threads.length + pools.page.threads.length,
    async close() {
      await Promise.all([pools.file.destroy(), pools.page.destroy()])
    },
  }
}

/** Each lane has its own threads, as it has its own turns: a screen never waits for files. */
const lanes: Record<keyof TranscriptTasks, HeavyLane> = {
  writeFiles: 'file',
  writeDetails: 'page',
  writeVersion: 'page',
}

function openPool(lane: HeavyLane, idleTimeoutMs: number) {
  return new Piscina<TranscriptTasks[keyof TranscriptTasks], TranscriptTaskOutcome>({
    filename: new URL('./transcript-worker.ts', import.meta.url).href,
    minThreads: 0,
    maxThreads: maxLaneThreads[lane],
    idleTimeout: idleTimeoutMs,
    niceIncrement: niceness,
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb, maxYoungGenerationSizeMb: maxYoungHeapMb },
  })
}

const functions: { [Name in keyof TranscriptTasks]: (task: TranscriptTasks[Name]) => Promise<TranscriptTaskOutcome> } =
  {
    writeFiles,
    writeDetails,
    writeVersion,
  }

function isShort(task: TranscriptTasks[keyof TranscriptTasks]): boolean {
  if ('files' in task && task.files.some(({ format }) => format === 'docx')) return false
  const sizes = [...task.packed.results.values()].map(({ data }) => data.byteLength)
  return sizes.reduce((sum, size) => sum + size, 0) <= maxBytesHere
}

function toAppError({ code, error, help, details, fields }: ErrorBody): AppError {
  return new AppError(code, error, {
    ...(help !== undefined && { help }),
    ...(details && { details }),
    ...(fields && { fields }),
  })
}

function busyError(): AppError {
  return new AppError('unavailable', 'The server is busy. Please try again in a few seconds.')
}
