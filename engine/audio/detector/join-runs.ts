import type { SpeechSpan } from '../speech-span.ts'
import type { VoiceRun } from './voice-run.ts'

export interface JoinOptions {
  /** Shorter pauses do not end a span. */
  minSilenceMs: number
  /** Shorter spans are dropped. */
  minSpeechMs: number
}

/** Joins ordered runs over short pauses to spans, and drops a span that is too short for a word or has nothing certain in it. */
export function joinRuns(runs: VoiceRun[], { minSilenceMs, minSpeechMs }: JoinOptions): SpeechSpan[] {
  const joined: VoiceRun[] = []
  for (const run of runs) {
    const previous = joined.at(-1)
    if (previous && run.startMs - previous.endMs < minSilenceMs) {
      previous.endMs = run.endMs
      previous.isCertain ||= run.isCertain
    } else {
      joined.push({ ...run })
    }
  }
  return joined
    .filter(({ startMs, endMs, isCertain }) => isCertain && endMs - startMs >= minSpeechMs)
    .map(({ startMs, endMs }) => ({ startMs, endMs }))
}
