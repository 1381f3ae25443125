import { sampleRate } from '../decoded-audio.ts'
import type { SpeechSpan } from '../speech-span.ts'

/** What is used of sherpa-onnx-node. */
export interface Sherpa {
  Vad: new (config: object, bufferSeconds: number) => SherpaVad
}

interface SherpaVad {
  acceptWaveform(samples: Float32Array): void
  isDetected(): boolean
  flush(): void
  clear(): void
}

/** Silero's network hears 512 samples at a time, with the last 64 of those before. */
const windowSamples = 512
const contextSamples = 64
/** A window holds speech from this probability on; sherpa-onnx lets speech last until it falls 0.15 below. */
const threshold = 0.35
/** After so many windows of speech sherpa-onnx is made to forget their sound, which it would copy whole at every window. */
const flushWindows = 32

/**
 * Finds voice in the samples of one channel. sherpa-onnx only decides window by window here: its own segments carry all their
 * samples, begin and end at times shifted by its settings and are cut at a longest duration.
 */
export function createVoiceFinder(
  sherpa: Sherpa,
  modelPath: string,
): {
  /** Listens to the next samples, -1 to 1 at 16 kHz. */
  add(samples: Float32Array): void
  /** Returns all runs of windows with a voice, in order. */
  finish(): SpeechSpan[]
} {
  const vad = new sherpa.Vad(vadConfig(modelPath), 30)
  const spans: SpeechSpan[] = []
  let rest = new Float32Array()
  let sampleCount = 0
  let windowCount = 0
  let run: { first: number; last: number } | undefined

  function endRun(): void {
    if (run) spans.push(toSpan(run, sampleCount))
    run = undefined
  }

  function judge(window: Float32Array): void {
    vad.acceptWaveform(window)
    // A window is judged once the first samples behind it are there to be its successor's context.
    const index = windowCount - 1
    windowCount += 1
    if (!vad.isDetected()) return endRun()
    // sherpa-onnx calls the first window of a run silence still.
    run ??= { first: index - 1, last: index }
    run.last = index
    if ((run.last - run.first) % flushWindows === 0) vad.flush()
    vad.clear()
  }

  function add(samples: Float32Array): void {
    sampleCount += samples.length
    const all = new Float32Array(rest.length + samples.length)
    all.set(rest)
    all.set(samples, rest.length)
    let at = 0
    for (; at + windowSamples <= all.length; at += windowSamples) judge(all.slice(at, at + windowSamples))
    rest = all.slice(at)
  }

  return {
    add,
    finish() {
      const last = new Float32Array(windowSamples)
      last.set(rest)
      judge(last)
      judge(new Float32Array(windowSamples))
      endRun()
      return spans
    },
  }
}

function toSpan({ first, last }: { first: number; last: number }, sampleCount: number): SpeechSpan {
  const toMs = (samples: number) => Math.round((Math.min(samples, sampleCount) * 1000) / sampleRate)
  return {
    startMs: toMs(Math.max(0, first * windowSamples + contextSamples)),
    endMs: toMs((last + 1) * windowSamples + contextSamples),
  }
}

/** The two durations are as short as can be (0 would mean sherpa-onnx's defaults): pauses are joined over later. */
function vadConfig(modelPath: string): object {
  return {
    sileroVad: {
      model: modelPath,
      threshold,
      windowSize: windowSamples,
      minSilenceDuration: 0.001,
      minSpeechDuration: 0.001,
      maxSpeechDuration: 20,
    },
    sampleRate,
    numThreads: 1,
  }
}
