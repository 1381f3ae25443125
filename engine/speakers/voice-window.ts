import type { SpeechSpan } from '#engine/audio/speech-span.ts'

/** Long enough to tell a voice by, short enough for the turns of a conversation. */
const windowMs = 1600
const hopMs = 800
/** A shorter sound says nothing about its voice. */
const minMs = 200

/** A stretch of speech and the vector that its voice is told by, of length 1. */
export interface VoiceWindow extends SpeechSpan {
  vector: Float32Array
}

/** Cuts spans of speech into windows that overlap by half; a span shorter than a window is one. */
export function cutWindows(spans: readonly SpeechSpan[]): SpeechSpan[] {
  return spans.flatMap(({ startMs, endMs }) => {
    if (endMs - startMs < minMs) return []
    if (endMs - startMs <= windowMs) return [{ startMs, endMs }]
    const count = Math.ceil((endMs - startMs - windowMs) / hopMs)
    const hops = Array.from({ length: count }, (_, index) => startMs + index * hopMs)
    return [...hops, endMs - windowMs].map((atMs) => ({ startMs: atMs, endMs: atMs + windowMs }))
  })
}
