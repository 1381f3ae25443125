import type { TranscriptionWarning } from '#contract/transcription.ts'
import { overlapMs } from './reference.ts'
import type { Line, ReferenceUtterance } from './reference.ts'

/**
 * Faults that no transcript may contain, judged against the reference. The engine makes the same checks, but against the speech that it
 * detected itself.
 */
export interface LineFaults {
  /** Lines without duration, or with more letters than anybody can say in that time. */
  impossible: Line[]
  /** Lines while no one speaks on their channel. */
  nobody: Line[]
  /** Passages with more than a second of voice, not counting pauses, that have neither text nor a warning. */
  missing: { channel: 0 | 1; startMs: number; endMs: number }[]
}

const maxLettersPerSecond = 40
const minMissingMs = 1000
/** Tolerance for the start and end of a line. */
const toleranceMs = 300

export function findLineFaults(
  lines: readonly Line[],
  utterances: readonly ReferenceUtterance[],
  warnings: readonly TranscriptionWarning[],
): LineFaults {
  const told = warnings.flatMap(({ start, end, channel }) =>
    start === undefined || end === undefined ? [] : [{ startMs: start * 1000, endMs: end * 1000, channel }],
  )
  return {
    impossible: lines.filter(isImpossible),
    nobody: lines.filter(
      (line) => !utterances.some((said) => said.channel === line.channel && overlapMs(said, widen(line)) > 0),
    ),
    missing: utterances.flatMap(({ channel, startMs, endMs, voiced = [{ startMs, endMs }] }) => {
      const covering = [
        ...lines.filter((line) => line.channel === channel).map(widen),
        ...told.filter((passage) => passage.channel === undefined || passage.channel === channel),
      ]
      return uncovered({ startMs, endMs }, covering)
        .filter((part) => voiced.reduce((sum, voice) => sum + overlapMs(part, voice), 0) > minMissingMs)
        .map((part) => ({ channel, ...part }))
    }),
  }
}

function isImpossible({ startMs, endMs, text }: Line): boolean {
  const letters = text.replaceAll(/[^\p{L}\p{N}]/gu, '').length
  return endMs <= startMs || (letters * 1000) / (endMs - startMs) > maxLettersPerSecond
}

function widen({ startMs, endMs }: { startMs: number; endMs: number }) {
  return { startMs: startMs - toleranceMs, endMs: endMs + toleranceMs }
}

interface Part {
  startMs: number
  endMs: number
}

/** Returns the parts of a passage that lie in none of the others. */
function uncovered(passage: Part, covering: readonly Part[]): Part[] {
  let atMs = passage.startMs
  const parts: Part[] = []
  for (const { startMs, endMs } of covering.toSorted((a, b) => a.startMs - b.startMs)) {
    if (startMs > atMs) parts.push({ startMs: atMs, endMs: Math.min(startMs, passage.endMs) })
    atMs = Math.max(atMs, endMs)
    if (atMs >= passage.endMs) return parts.filter((part) => part.endMs > part.startMs)
  }
  return [...parts, { startMs: atMs, endMs: passage.endMs }].filter((part) => part.endMs > part.startMs)
}
