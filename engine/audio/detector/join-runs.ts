import type { SpeechSpan } from '../speech-span.ts'
import type { VoiceRun } from './voice-run.ts'

export interface JoinOptions {
  /** Shorter pauses are bridged. */
  minSilenceMs: number
  /** Shorter spans are dropped. */
  minSpeechMs: number
}

/** Joins ordered runs across short pauses into spans, and drops spans that are too short or contain no certain run. */
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
