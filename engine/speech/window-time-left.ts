import { createTimeLeft, type WorkUnit } from '#engine/time-left.ts'
import type { PlannedWindow } from './channel-plan.ts'
import type { SpeechBackendCache } from './speech-backend-cache.ts'

/** Fixed cost of a window regardless of its length: Whisper encodes a fixed amount of audio. */
const fixedCostMs = 2_000

export interface WindowTimeLeft {
  finish(planned: PlannedWindow): void
  /** Returns the seconds that the remaining windows will take; null until there is a pace. */
  seconds(): number | null
  /** Wraps the backends to measure how long a model takes to load, which is not a cost of a window. */
  measureLoading(backends: SpeechBackendCache): SpeechBackendCache
}

/** Estimates how long windows take; each model has its own pace. */
export function createWindowTimeLeft(
  windows: readonly PlannedWindow[],
  now: () => number = () => performance.now(),
): WindowTimeLeft {
  const units = new Map(windows.map((planned) => [planned.key, toUnit(planned)]))
  const timeLeft = createTimeLeft([...units.values()], now)
  let loadMs = 0
  return {
    finish({ key }) {
      const unit = units.get(key)
      if (!unit) return
      timeLeft.finish(unit, { setupMs: loadMs })
      loadMs = 0
    },
    seconds: () => timeLeft.seconds(),
    measureLoading: (backends) => {
      let loaded: string | undefined
      return {
        close: () => backends.close(),
        async use(model, options) {
          const startedMs = now()
          const backend = await backends.use(model, options)
          if (loaded !== model.id) loadMs += now() - startedMs
          loaded = model.id
          return backend
        },
      }
    },
  }
}

function toUnit({ model, window }: PlannedWindow): WorkUnit {
  return { group: model.id, weight: window.durationMs + fixedCostMs }
}
