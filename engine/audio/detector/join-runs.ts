import type { SpeechSpan } from '../speech-span.ts'
import type { VoiceRun } from './voice-run.ts'

export interface JoinOptions {
  /** Shorter pauses are bridged. */
  minSilenceMs: number
  /** Shorter spans are dropped. */
  minSpeechMs: number
}

/** Closer to a run of the first pass, sound of the second is its end, which the second hears later. */
const edgeMs = 300

/**
 * Adds to the runs of one pass what only another pass found, more than 300 ms away from them: up to there the first decides where a voice starts and
 * ends. A run is certain where either is. Both lists and the result are in order.
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
