import { foldKeyword } from '#contract/keywords/fold.ts'

/** Where a word was found. */
interface Place {
  word: string
  timeMs: number
  /** The channel, where each is a separate speaker; null where that is not known. */
  side: number | null
}

/** Two transcriptions of a recording place a word at most this far apart. */
const toleranceMs = 2_000

/**
 * Returns for each place found the known one that is the same hit: the same word as compared, at about the same time, and not on the other
 * side. Each known place matches at most one of those found.
 */
export function matchPlaces<Known extends Place, Found extends Place>(
  known: readonly Known[],
  found: readonly Found[],
): Map<Found, Known> {
  const matches = new Map<Found, Known>()
  const knownByWord = Map.groupBy(known, ({ word }) => foldKeyword(word))
  for (const [word, places] of Map.groupBy(found, (place) => foldKeyword(place.word))) {
    const candidates = knownByWord.get(word) ?? []
    if (candidates.length === 0) continue
    matchInOrder(candidates, places, matches, (a, b) => a.side === b.side)
    matchInOrder(candidates, places, matches, (a, b) => a.side === null || b.side === null)
  }
  return matches
}

/** Goes through both in order of time, so that each place gets the earliest one that is left: as many as possible are matched. */
function matchInOrder<Known extends Place, Found extends Place>(
  known: readonly Known[],
  found: readonly Found[],
  matches: Map<Found, Known>,
  isSameSide: (a: Place, b: Place) => boolean,
): void {
  const used = new Set<Known>(matches.values())
  const byTime = known.filter((place) => !used.has(place)).toSorted((a, b) => a.timeMs - b.timeMs)
  let from = 0
  for (const place of found.filter((each) => !matches.has(each)).toSorted((a, b) => a.timeMs - b.timeMs)) {
    while ((byTime[from]?.timeMs ?? Infinity) < place.timeMs - toleranceMs) from += 1
    for (let at = from; at < byTime.length; at += 1) {
      const candidate = byTime[at]
      if (!candidate || candidate.timeMs > place.timeMs + toleranceMs) break
      if (used.has(candidate) || !isSameSide(candidate, place)) continue
      used.add(candidate)
      matches.set(place, candidate)
      break
    }
  }
}
