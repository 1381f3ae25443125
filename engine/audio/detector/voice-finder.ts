import { sampleRate } from '../decoded-audio.ts'
import { contextSamples, inputSamples, windowSamples } from './silero.ts'
import type { Silero } from './silero.ts'
import type { VoiceRun } from './voice-run.ts'
import { VoiceState } from './voice-state.ts'

const threshold = 0.25
/** Two consecutive windows above this make a run certain. */
const certainThreshold = 0.85
/** So does this length: noise and music resemble a voice for shorter than that. */
const certainMs = 1000
/** Windows before a run that the second detector needs as context. */
const leadWindows = 16

export interface VoiceFinder {
  /** Processes the next samples of each sound, -1 to 1 at 16 kHz, all of the same length. */
  add(sounds: readonly Float32Array[]): Promise<void>
  /** Returns all runs of each sound, in order. */
  finish(): Promise<VoiceRun[][]>
}

/** Finds voiced runs in sounds of the same length. Memory grows per run. */
export function createVoiceFinder(silero: Silero, count: number): VoiceFinder {
  const listener = silero.listen(count)
  const runsOf = Array.from({ length: count }, () => createRuns(silero))
  let rests = Array.from({ length: count }, () => new Float32Array())
  let sampleCount = 0

  async function addWindows(sounds: readonly Float32Array[]): Promise<void> {
    const all = sounds.map((samples, at) => concat(rests[at] ?? new Float32Array(), samples))
    const length = all[0]?.length ?? 0
    const inputs = new Float32Array(count * inputSamples)
    let at = 0
    for (; at + inputSamples <= length; at += windowSamples) {
      for (const [index, samples] of all.entries())
        inputs.set(samples.subarray(at, at + inputSamples), index * inputSamples)
      const probabilities = await listener.hear(inputs)
      for (const [index, runs] of runsOf.entries()) {
        const input = inputs.slice(index * inputSamples, (index + 1) * inputSamples)
        await runs.add(input, probabilities[index] ?? 0)
      }
    }
    rests = all.map((samples) => samples.slice(at))
  }

  return {
    async add(sounds) {
      sampleCount += sounds[0]?.length ?? 0
      await addWindows(sounds)
    },
    async finish() {
      // Zeros complete the last window.
      const missing = inputSamples - (rests[0]?.length ?? 0)
      await addWindows(rests.map(() => new Float32Array(missing)))
      return runsOf.map((runs) => runs.finish(sampleCount))
    },
  }
}

/** Collects the runs of one sound. */
function createRuns(silero: Silero) {
  const state = new VoiceState(threshold)
  const confirmer = createConfirmer(silero)
  const found: { first: number; last: number; isCertain: boolean }[] = []
  let run: { first: number; last: number; isCertain: boolean } | undefined
  let classified = -1
  return {
    async add(input: Float32Array, probability: number): Promise<void> {
      classified += 1
      confirmer.remember(input)
      if (!state.add(probability)) {
        run = undefined
        return
      }
      const isNewRun = run === undefined
      if (!run) {
        run = { first: classified - 1, last: classified, isCertain: false }
        found.push(run)
      }
      run.last = classified
      if (!run.isCertain) run.isCertain = await confirmer.confirm(input, { isNewRun })
    },
    finish: (sampleCount: number): VoiceRun[] => found.map((each) => toVoiceRun(each, sampleCount)),
  }
}

/** Creates a second detector, which runs from shortly before a run until the run is certain. */
function createConfirmer(silero: Silero) {
  const listener = silero.listen(1)
  const state = new VoiceState(certainThreshold)
  let recent: Float32Array[] = []
  return {
    remember(input: Float32Array): void {
      recent = [...recent.slice(1 - leadWindows), input]
    },
    /** Processes one window of a run and returns whether it is certainly voiced. */
    async confirm(input: Float32Array, { isNewRun }: { isNewRun: boolean }): Promise<boolean> {
      if (isNewRun) {
        listener.reset()
        state.reset()
      }
      let isVoice = false
      // Of several windows only the last one counts: the others may belong to the run before.
      for (const window of isNewRun ? recent : [input]) {
        const [probability = 0] = await listener.hear(window)
        isVoice = state.add(probability)
      }
      return isVoice
    },
  }
}

function concat(first: Float32Array, second: Float32Array): Float32Array<ArrayBuffer> {
  const all = new Float32Array(first.length + second.length)
  all.set(first)
  all.set(second, first.length)
  return all
}

function toVoiceRun(
  { first, last, isCertain }: { first: number; last: number; isCertain: boolean },
  sampleCount: number,
): VoiceRun {
  const toMs = (samples: number) => Math.round((Math.min(samples, sampleCount) * 1000) / sampleRate)
  const startMs = first === 0 ? 0 : toMs(first * windowSamples + contextSamples)
  const endMs = toMs((last + 1) * windowSamples + contextSamples)
  return { startMs, endMs, isCertain: isCertain || endMs - startMs >= certainMs }
}
