import type { SpeechModel } from '#engine/models/model-entry.ts'
import { freeThreads, threadsFor } from '#engine/threads.ts'
import { startWhisper } from './whisper.ts'
import type { Whisper } from './whisper.ts'

export interface SpeechEngine {
  /** Whisper with this model; the one of another model is closed first, so that memory holds one. */
  use(model: SpeechModel): Promise<Whisper>
  close(): Promise<void>
}

/** Starts Whisper when it is first needed: a recording without speech never loads a model. */
export function createSpeechEngine({ threads, signal }: { threads: number; signal?: AbortSignal }): SpeechEngine {
  let current: { id: string; whisper: Whisper } | undefined

  async function close(): Promise<void> {
    const closing = current
    current = undefined
    await closing?.whisper.close()
  }

  async function use(model: SpeechModel): Promise<Whisper> {
    if (current?.id === model.id) return current.whisper
    await close()
    const whisper = await startWhisper({ model, threads: await freeThreads(threadsFor(model, threads)), signal })
    current = { id: model.id, whisper }
    return whisper
  }

  return { use, close }
}
