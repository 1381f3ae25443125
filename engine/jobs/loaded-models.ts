import type { TranslationModel } from '#engine/models/model-entry.ts'
import { createSpeechEngine } from '#engine/speech/speech-engine.ts'
import type { SpeechEngine } from '#engine/speech/speech-engine.ts'
import { startTranslator } from '#engine/translation/llama.ts'
import type { Translator } from '#engine/translation/llama.ts'

export interface LoadedModels {
  /** Loads a speech model with the first window; a translation model goes first. */
  speech: SpeechEngine
  /** The translator, which loads its model with the first text; a speech model goes first. */
  translator(model: TranslationModel, options: { signal?: AbortSignal }): Promise<Translator>
  /** Works with the models; afterwards they stay for the idle time. */
  during<Value>(work: () => Promise<Value>): Promise<Value>
  /** Frees all memory. */
  close(): Promise<void>
}

/**
 * Keeps the model of the last job in memory, so that a queue of short texts or calls does not load gigabytes for each. Memory holds
 * one model at a time, and none after `idleMs` without work: the machine may have other things to do.
 */
export function keepModelsLoaded({ threads, idleMs }: { threads: number; idleMs: number }): LoadedModels {
  const engine = createSpeechEngine({ threads })
  let current: Translator | undefined
  let idle: NodeJS.Timeout | undefined

  async function closeTranslator() {
    const closing = current
    current = undefined
    await closing?.close()
  }

  async function close() {
    clearTimeout(idle)
    await Promise.all([engine.close(), closeTranslator()])
  }

  const speech: SpeechEngine = {
    async use(model, options) {
      await closeTranslator()
      return engine.use(model, options)
    },
    close: engine.close,
  }

  async function translator(model: TranslationModel, { signal }: { signal?: AbortSignal }) {
    await engine.close()
    if (current?.model.path === model.path) return current
    await closeTranslator()
    current = await startTranslator({ model, threads, signal })
    return current
  }

  async function during<Value>(work: () => Promise<Value>) {
    clearTimeout(idle)
    try {
      return await work()
    } finally {
      if (idleMs === 0) await close()
      else idle = setTimeout(() => void close(), idleMs).unref()
    }
  }

  return { speech, translator, during, close }
}
