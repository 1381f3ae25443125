import type { SpeechSpan } from '../speech-span.ts'
import type { VoiceRun } from './voice-run.ts'

export interface JoinOptions {
  /** Shorter pauses are bridged. */
  minSilenceMs: number
  /** Shorter spans are dropped. */
  minSpeechMs: number
}

/** Sound of the second pass that is closer than this to a run of the first is the end of that run, which the second pass ends later. */
const edgeMs = 300

/**
 * Adds to the runs of the first pass what only the second pass found more than 300 ms away from them: closer than that, the first decides
 * where a voice starts and ends. A run is certain if it is certain in either pass. Both lists and the result are in order.
 */
export function addSecondPass(first: readonly VoiceRun[], second: readonly VoiceRun[]): VoiceRun[] {
  const heard = first.map((run) => ({
    ...run,
    isCertain: run.isCertain || second.some((other) => other.isCertain && overlaps(run, other)),
  }))
  const added = second.flatMap((run) => {
    const parts: VoiceRun[] = []
    let { startMs } = run
    for (const known of heard) {
      if (known.endMs + edgeMs <= startMs || known.startMs - edgeMs >= run.endMs) continue
      if (known.startMs - edgeMs > startMs) parts.push({ ...run, startMs, endMs: known.startMs - edgeMs })
      startMs = known.endMs + edgeMs
    }
    return startMs < run.endMs ? [...parts, { ...run, startMs }] : parts
  })
  return [...heard, ...added].toSorted((a, b) => a.startMs - b.startMs)
}

function overlaps(a: SpeechSpan, b: SpeechSpan): boolean {
  return a.startMs < b.endMs && b.startMs < a.endMs
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
