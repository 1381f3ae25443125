// Runs in the threads created by createTranscriptThreads.
import { move, transferableSymbol, valueSymbol } from 'piscina'
import { collectGarbage } from './collect-garbage.ts'
import * as tasks from './transcript-tasks.ts'

/**
 * Frees the memory of a task after its result is sent. V8 would keep a long call's hundred megabytes until they are needed again, and the
 * peaks of two calls would add up.
 */
function freeing<Task>(run: (task: Task) => Promise<tasks.TranscriptTaskOutcome>): (task: Task) => Promise<unknown> {
  return async (task) => {
    try {
      return moved(await run(task))
    } finally {
      setImmediate(collectGarbage)
    }
  }
}

/** Transfers the contents without a copy. */
function moved(outcome: tasks.TranscriptTaskOutcome): unknown {
  if ('error' in outcome) return outcome
  const buffers = outcome.contents.map(({ buffer }) => buffer as ArrayBuffer) // buffers of copies, which share nothing
  return move({ [transferableSymbol]: buffers, [valueSymbol]: outcome })
}

/** A thread runs one task at a time, so it can keep to that task's language until its Word files are written. */
async function writeInLanguage(task: tasks.TranscriptTasks['writeFiles']): Promise<tasks.TranscriptTaskOutcome> {
  globalThis.awazTexts = task.texts
  try {
    return await tasks.writeFiles(task)
  } finally {
    globalThis.awazTexts = undefined
  }
}

export const writeFiles = freeing(writeInLanguage)
export const writeDetails = freeing(tasks.writeDetails)
export const writeVersion = freeing(tasks.writeVersion)
