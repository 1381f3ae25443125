import type { Logger } from 'pino'
import type { SpeechBackend } from '#engine/speech/backend/speech-backend.ts'
import { sampleRate } from '../audio/decoded-audio.ts'
import type { LoadedModels } from './loaded-models.ts'

export interface ObservedModels {
  loaded: LoadedModels
  /** Returns the ids of the models used through `loaded` so far. */
  usedIds(): string[]
}

/** Returns the models for one attempt at a job, and tracks which of them it used. Logs at `debug` how long each took. */
export function observeModels(loaded: LoadedModels, log: Pick<Logger, 'debug'>): ObservedModels {
  const used = new Set<string>()

  async function load<Value>(model: string, use: () => Promise<Value>): Promise<Value> {
    if (used.has(model)) return use()
    used.add(model)
    const startedAt = performance.now()
    const value = await use()
    log.debug({ model, ms: millisecondsSince(startedAt) }, 'model in use')
    return value
  }

  function observe(model: string, backend: SpeechBackend): SpeechBackend {
    return {
      capabilities: backend.capabilities,
      async transcribe(samples, options) {
        const startedAt = performance.now()
        const transcribed = await backend.transcribe(samples, options)
        const audioMs = Math.round((samples.length / sampleRate) * 1000)
        log.debug({ model, audioMs, ms: millisecondsSince(startedAt) }, 'window transcribed')
        return transcribed
      },
      detectLanguages: (samples, options) => backend.detectLanguages(samples, options),
      cpuMs: () => backend.cpuMs(),
      close: () => backend.close(),
    }
  }

  return {
    loaded: {
      ...loaded,
      speech: {
        use: async (model, options) => observe(model.id, await load(model.id, () => loaded.speech.use(model, options))),
        close: () => loaded.speech.close(),
      },
      translator: (model, options) => load(model.id, () => loaded.translator(model, options)),
    },
    usedIds: () => [...used],
  }
}

function millisecondsSince(startedAt: number): number {
  return Math.round(performance.now() - startedAt)
}
