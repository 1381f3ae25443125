import type { PossibleHit } from '#contract/possible-hits.ts'
import type { TranscriptLine } from '../transcript-line.ts'

/** The lines of a window of one channel. */
interface WindowLines {
  channel: 0 | 1
  lines: readonly Pick<TranscriptLine, 'words'>[]
}

/** A transcript keeps the most probable hits; an hour has a few dozen. */
const maxHits = 1_000

/** Returns the keywords that may have been said, in order of time; of several that overlap, only the most probable. */
export function listPossibleHits(windows: readonly WindowLines[], hasChannels: boolean): PossibleHit[] {
  const kept: PossibleHit[] = []
  const found = windows.flatMap((window) => hitsOf(window, hasChannels))
  for (const hit of found.toSorted((one, other) => other.probability - one.probability)) {
    if (kept.length < maxHits && !kept.some((other) => isSamePlace(hit, other))) kept.push(hit)
  }
  return kept.toSorted((one, other) => one.start - other.start)
}

function hitsOf({ channel, lines }: WindowLines, hasChannels: boolean): PossibleHit[] {
  return lines.flatMap(({ words }) =>
    words.flatMap(({ startMs, nearlyHeard = [] }, index) =>
      nearlyHeard.map(({ keyword, count, probability }): PossibleHit => {
        const instead = words.slice(index, index + count)
        return {
          start: toSeconds(startMs),
          end: toSeconds(instead.at(-1)?.endMs ?? startMs),
          ...(hasChannels && { channel }),
          keyword,
          heard: instead.map(({ text }) => text).join(' '),
          probability: Math.round(probability * 100) / 100,
        }
      }),
    ),
  )
}

function isSamePlace(one: PossibleHit, other: PossibleHit): boolean {
  const isApart = one.end <= other.start || other.end <= one.start
  return one.channel === other.channel && !isApart
}

function toSeconds(ms: number): number {
  return Math.round(ms) / 1000
}
