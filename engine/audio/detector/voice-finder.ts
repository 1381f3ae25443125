import { sampleRate } from '../decoded-audio.ts'
import { contextSamples, loadVad, windowSamples } from './sherpa-vad.ts'
import type { VoiceRun } from './voice-run.ts'

const threshold = 0.25
/** Two windows in a row above this make a run certain. */
const certainThreshold = 0.85
/** Windows before a run that a second listener needs to make up its mind. */
const leadWindows = 16
/** After so many windows of voice sherpa-onnx must forget their sound, or it copies all of it at every further window. */
const flushWindows = 32

export interface VoiceFinder {
  /** Listens to the next samples, -1 to 1 at 16 kHz. */
  add(samples: Float32Array): void
  /** Returns all runs, in order. */
  finish(): VoiceRun[]
}

/** Finds voice in the samples of one channel, in memory that grows by the run. */
export function createVoiceFinder(modelPath: string): VoiceFinder {
  const vad = loadVad(modelPath, threshold)
  const confirm = createConfirmer(modelPath)
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
    // A window is judged when the one behind it comes in, and the first of a voice counts as silence.
    const judged = windowCount - 1
    windowCount += 1
    confirm.remember(window)
    if (!vad.isDetected()) return endRun()
    const isNew = run === undefined
    run ??= { first: judged - 1, last: judged, isCertain: false }
    run.last = judged
    run.isCertain ||= confirm.isVoice(window, isNew)
    if ((run.last - run.first) % flushWindows === 0) vad.flush()
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
      // Zeros complete the last window and push it through.
      addWindow(concat(rest, new Float32Array(windowSamples - rest.length)))
      addWindow(new Float32Array(windowSamples))
      endRun()
      return runs
    },
  }
}

/** A second listener, at work from a little before a run until the run is certain. */
function createConfirmer(modelPath: string) {
  const vad = loadVad(modelPath, certainThreshold)
  let recent: Float32Array[] = []
  return {
    remember(window: Float32Array): void {
      recent = [...recent.slice(-leadWindows), window]
    },
    isVoice(window: Float32Array, isNew: boolean): boolean {
      if (isNew) vad.reset()
      for (const heard of isNew ? recent : [window]) vad.acceptWaveform(heard)
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
  return {
    startMs: first === 0 ? 0 : toMs(first * windowSamples + contextSamples),
    endMs: toMs((last + 1) * windowSamples + contextSamples),
    isCertain,
  }
}
