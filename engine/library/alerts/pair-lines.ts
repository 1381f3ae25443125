import type { TextLine } from '../recording-text.ts'

/** A line as people read it: the spoken text with its translations, by their language. */
export interface LineGroup {
  /** Null for translated lines of a text without lines. */
  spoken: TextLine | null
  /** Of each language, one or more in order of time. */
  translations: TextLine[][]
}

/** Returns the spoken lines in order of time, each with the translated lines that share most time with it, the same speaker's first. */
export function pairLines(lines: readonly TextLine[]): LineGroup[] {
  const spoken = lines.filter(({ isTranslation }) => !isTranslation)
  const findSpoken = createTimeLookup(spoken)
  const translated = Map.groupBy(
    lines.filter(({ isTranslation }) => isTranslation),
    findSpoken,
  )
  const groups = spoken.map((line): LineGroup => {
    const byLanguage = Map.groupBy(translated.get(line) ?? [], ({ language }) => language)
    return { spoken: line, translations: [...byLanguage.values()] }
  })
  return [...groups, ...(translated.get(null) ?? []).map((line) => ({ spoken: null, translations: [[line]] }))]
}

/** Returns a function that returns the spoken line of a translated one, or null. */
function createTimeLookup(spoken: readonly TextLine[]): (line: TextLine) => TextLine | null {
  const longest = spoken.reduce((most, { start, end }) => Math.max(most, end - start), 0)
  return (translated) => {
    const { start, end, speaker } = translated
    let best: TextLine | null = null
    let bestRank = 0
    for (let at = firstFrom(spoken, start - longest); at < spoken.length; at += 1) {
      const line = spoken[at]
      if (!line || line.start > end) break
      const shared = Math.min(end, line.end) - Math.max(start, line.start)
      const isExact = line.start === start && line.end === end
      if (shared <= 0 && !isExact) continue
      const rank = shared + (isExact ? longest + 1 : 0) + (line.speaker === speaker ? 2 * longest + 2 : 0)
      if (rank > bestRank) [best, bestRank] = [line, rank]
    }
    return best
  }
}

/** Returns the index of the first line that begins at `start` or later. */
function firstFrom(lines: readonly TextLine[], start: number): number {
  let [low, high] = [0, lines.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((lines[middle]?.start ?? start) < start) low = middle + 1
    else high = middle
  }
  return low
}
