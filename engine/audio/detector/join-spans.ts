import type { SpeechSpan } from '../speech-span.ts'

export interface JoinOptions {
  /** Shorter pauses do not end a span. Default 500 ms. */
  minSilenceMs?: number
  /** Shorter spans are dropped. Default 100 ms. */
  minSpeechMs?: number
}

/** Joins ordered runs of voice over short pauses and drops what is too short to be a word. */
export function joinSpans(
  runs: SpeechSpan[],
  { minSilenceMs = 500, minSpeechMs = 100 }: JoinOptions = {},
): SpeechSpan[] {
  const joined: SpeechSpan[] = []
  for (const { startMs, endMs } of runs) {
    const previous = joined.at(-1)
    if (previous && startMs - previous.endMs < minSilenceMs) previous.endMs = Math.max(previous.endMs, endMs)
    else joined.push({ startMs, endMs })
  }
  return joined.filter(({ startMs, endMs }) => endMs - startMs >= minSpeechMs)
}
