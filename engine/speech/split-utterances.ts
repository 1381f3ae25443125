import { findPauses } from '#engine/audio/find-pauses.ts'
import type { SpeechSpan } from '#engine/audio/speech-span.ts'

/** A pause of this length may separate two sentences, and therefore two languages. */
const minPauseMs = 250
/** Shorter speech does not reveal its language. */
const minUtteranceMs = 700

/**
 * Splits detected speech at pauses with at least 0.7 s of speech on both sides; the detector bridges pauses of up to half a second.
 *
 * @param frames RMS of 20 ms frames of the channel
 */
export function splitUtterances(spans: readonly SpeechSpan[], frames: Float32Array): SpeechSpan[] {
  return spans.flatMap((span) => {
    const utterances: SpeechSpan[] = []
    let { startMs } = span
    for (const pause of findPauses(frames, span, minPauseMs)) {
      if (pause.startMs - startMs < minUtteranceMs || span.endMs - pause.endMs < minUtteranceMs) continue
      utterances.push({ startMs, endMs: pause.startMs })
      startMs = pause.endMs
    }
    return [...utterances, { startMs, endMs: span.endMs }]
  })
}
