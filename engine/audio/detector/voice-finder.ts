import { sampleRate } from '../decoded-audio.ts'
import { contextSamples, loadVad, windowSamples } from './sherpa-vad.ts'
import type { VoiceRun } from './voice-run.ts'

const threshold = 0.25
/** Two consecutive windows above this make a run certain. */
const certainThreshold = 0.85
/** So does this length: noise and music resemble a voice for shorter than that. */
const certainMs = 1000
/** Windows before a run that the second detector needs as context. */
const leadWindows = 16
/** Interval at which buffered voice is flushed: sherpa-onnx copies its whole buffer at every window. */
const flushIntervalWindows = 32

export interface VoiceFinder {
  /** Processes the next samples, -1 to 1 at 16 kHz. */
  add(samples: Float32Array): void
  /** Returns all runs, in order. */
  finish(): VoiceRun[]
}

/** Finds voiced runs in the samples of one channel. Memory grows per run. */
export function createVoiceFinder(modelPath: string): VoiceFinder {
  const vad = loadVad(modelPath, threshold)
  const confirmer = createConfirmer(modelPath)
  const runs: VoiceRun[] = []
  let run: { first: number; last: number; isCertain: boolean } | undefined
  let rest = new Float32Array()
  let sampleCount = 0
  let windowCount = 0

  function endRun(): void {
    if (run) runs.push(toVoiceRun(run, sampleCount))
    run = undefined
  }

  function addWindow(window: Float32Array): void {
    vad.acceptWaveform(window)
    // A window is classified when the next one arrives, and the first one of a voice counts as silence.
    const classified = windowCount - 1
    windowCount += 1
    confirmer.remember(window)
    if (!vad.isDetected()) return endRun()
    const isNewRun = run === undefined
    run ??= { first: classified - 1, last: classified, isCertain: false }
    run.last = classified
    run.isCertain ||= confirmer.confirm(window, { isNewRun })
    if ((run.last - run.first) % flushIntervalWindows === 0) vad.flush()
    vad.clear()
  }

  return {
    add(samples) {
      sampleCount += samples.length
      const all = concat(rest, samples)
      let at = 0
      for (; at + windowSamples <= all.length; at += windowSamples) addWindow(all.slice(at, at + windowSamples))
      rest = all.slice(at)
    },
    finish() {
      // Zeros complete the last window and flush it through.
      addWindow(concat(rest, new Float32Array(windowSamples - rest.length)))
      addWindow(new Float32Array(windowSamples))
      endRun()
      return runs
    },
  }
}

/** Creates a second detector, which runs from shortly before a run until the run is certain. */
function createConfirmer(modelPath: string) {
  const vad = loadVad(modelPath, certainThreshold)
  let recent: Float32Array[] = []
  return {
    remember(window: Float32Array): void {
      recent = [...recent.slice(-leadWindows), window]
    },
    /** Processes one window of a run and returns whether it is certainly voiced. */
    confirm(window: Float32Array, { isNewRun }: { isNewRun: boolean }): boolean {
      if (isNewRun) vad.reset()
      for (const input of isNewRun ? recent : [window]) vad.acceptWaveform(input)
      const isVoice = vad.isDetected()
      vad.flush()
      vad.clear()
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
