import type { ModelSpeed } from '#contract/entities/engine.ts'

interface Sample {
  model: string
  audioMs: number
  workMs: number
  at: number
}

export interface SpeedMeter {
  record(sample: { model: string; audioMs: number; workMs: number }): void
  /** Returns the speed of each model used in the last few minutes. */
  read(): ModelSpeed[]
}

/** Measures the speed of models over the last `keepMs`; `now` is a monotonic clock in milliseconds. */
export function createSpeedMeter({
  keepMs = 5 * 60_000,
  now = () => performance.now(),
}: { keepMs?: number; now?: () => number } = {}): SpeedMeter {
  let samples: Sample[] = []

  function dropExpired() {
    const oldest = now() - keepMs
    samples = samples.filter(({ at }) => at >= oldest)
  }

  return {
    record(sample) {
      samples.push({ ...sample, at: now() })
      dropExpired()
    },
    read() {
      dropExpired()
      const byModel = Map.groupBy(samples, ({ model }) => model)
      return [...byModel].flatMap(([model, own]) => {
        const audioMs = sum(own.map((sample) => sample.audioMs))
        if (audioMs === 0) return []
        const workMs = sum(own.map((sample) => sample.workMs))
        return { model, real_time_factor: round(workMs / audioMs), audio_seconds: round(audioMs / 1000) }
      })
    },
  }
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000
}
