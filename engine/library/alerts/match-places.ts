import { foldKeyword } from '#contract/keywords/fold.ts'

/** Where a word was found. */
interface Place {
  word: string
  timeMs: number
  /** The channel, if each channel is a separate speaker; null if this is unknown. */
  side: number | null
}

/** The positions of a word in two transcriptions of a recording differ by at most this much. */
const toleranceMs = 2_000

/**
 * Returns, for each found place, the known place that is the same hit: the same word after folding, at about the same time, and not on the
 * other side. Each known place matches at most one found place.
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

/** Goes through both lists in order of time and gives each place the earliest one that is left, so that as many as possible are matched. */
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
