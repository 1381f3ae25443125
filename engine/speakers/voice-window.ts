import type { SpeechSpan } from '#engine/audio/speech-span.ts'

/** Long enough for a reliable embedding, short enough for the turns of a conversation. */
const windowMs = 1600
const hopMs = 800
/** Shorter audio has no meaningful embedding. */
const minWindowMs = 200

/** A passage of speech with the embedding of its voice, of length 1. */
export interface VoiceWindow extends SpeechSpan {
  embedding: Float32Array
}

/** Cuts spans of speech into windows that overlap by half; a span shorter than a window becomes a single window. */
export function cutWindows(spans: readonly SpeechSpan[]): SpeechSpan[] {
  return spans.flatMap(({ startMs, endMs }) => {
    if (endMs - startMs < minWindowMs) return []
    if (endMs - startMs <= windowMs) return [{ startMs, endMs }]
    const count = Math.ceil((endMs - startMs - windowMs) / hopMs)
    const hops = Array.from({ length: count }, (_, index) => startMs + index * hopMs)
    return [...hops, endMs - windowMs].map((atMs) => ({ startMs: atMs, endMs: atMs + windowMs }))
  })
}
