import { createKeywordMatcher, type KeywordHit, type KeywordMatcher } from '#contract/keywords/find-keywords.ts'
import type { KeywordsInUse } from '#contract/keywords/defaults.ts'
import { keywordCategories, type KeywordCategory, noKeywords } from '#contract/keywords/keywords.ts'
import { pairHits, timeAtOffset } from '#contract/keywords/pair-hits.ts'
import type { WatchListRecord } from '#data/alerts/watch-lists.ts'
import type { TextLine } from '../recording-text.ts'
import { excerptSentence } from './excerpt-sentence.ts'

/** A line as people read it: the spoken text with its translations, grouped by language. */
interface LineGroup {
  /** Null for translated lines of a text without lines. */
  spoken: TextLine | null
  /** For each language, one or more lines in order of time. */
  translations: TextLine[][]
}

/** Returns the spoken lines in order of time, each with the translated lines that overlap it most in time, the same speaker's first. */
function pairLines(lines: readonly TextLine[]): LineGroup[] {
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

/** Returns a function that finds the spoken line of a translated line, or null. */
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

/** What a watch list found in a text. */
export interface WatchedHit {
  word: string
  /** Null for the watch list's own words. */
  category: KeywordCategory | null
  isSimilar: boolean
  isTranslation: boolean
  timeMs: number
  /** The channel, if each channel is a separate speaker. */
  side: number | null
  speaker: string | null
  language: string | null
  sentence: string
  markStart: number
  markEnd: number
}

type Watched = Pick<WatchListRecord, 'categories' | 'words' | 'texts'>

/**
 * Returns a function that finds the hits of a watch list in order of time: those of the owner's keywords, as the desk shows them (one hit
 * if both a line and its translation contain it), and the list's own words where they do not overlap a keyword of its categories.
 */
export function createHitFinder(
  lines: readonly TextLine[],
  keywords: KeywordsInUse,
): (watchList: Watched) => WatchedHit[] {
  const groups = pairLines(lines)
  const findKeywords = remember(createKeywordMatcher(keywords))

  return ({ categories, words, texts }) => {
    const chosen = new Set<KeywordCategory>(categories)
    const findWords = createKeywordMatcher({ ...noKeywords(), custom: words })
    const ofCategories: KeywordMatcher = (text, language) =>
      findKeywords(text, language).filter(({ category }) => chosen.has(category))
    const ownWords: KeywordMatcher = (text, language) => {
      const taken = ofCategories(text, language)
      return findWords(text).filter((hit) => !taken.some(({ start, end }) => start < hit.end && hit.start < end))
    }
    const hits = groups.flatMap((group) => [
      ...listHits(group, texts, ofCategories),
      ...listHits(group, texts, ownWords).map((hit) => ({ ...hit, category: null })),
    ])
    return hits.toSorted((a, b) => a.timeMs - b.timeMs)
  }
}

function listHits({ spoken, translations }: LineGroup, texts: Watched['texts'], find: KeywordMatcher): WatchedHit[] {
  const originals = spoken && texts !== 'translation' ? find(spoken.text, spoken.language) : []
  const found = spoken ? originals.map((hit) => toHit(hit, spoken, timeAtOffset(spoken, hit.start))) : []
  if (texts === 'original') return found
  const extra = translations.map((lines) => {
    const placed = lines.flatMap((line) => find(line.text, line.language).map((hit) => ({ hit, line })))
    const pairs = pairHits({ original: originals, translation: placed.map(({ hit }) => hit) })
    return placed.filter(({ hit }) => pairs.some(({ original, translation }) => !original && translation === hit))
  })
  const added = keywordCategories.flatMap((category) => {
    const byLanguage = extra.map((hits) => hits.filter(({ hit }) => hit.category === category))
    return byLanguage.reduce((most, hits) => (hits.length > most.length ? hits : most), [])
  })
  return [...found, ...added.map(({ hit, line }) => toHit(hit, line, spoken?.start ?? line.start, spoken))]
}

function toHit(hit: KeywordHit, line: TextLine, time: number, spoken: TextLine | null = line): WatchedHit {
  return {
    word: hit.keyword,
    category: hit.category,
    isSimilar: hit.isSimilar === true,
    isTranslation: line.isTranslation,
    timeMs: Math.round(time * 1000),
    side: spoken?.channel ?? null,
    speaker: spoken?.speaker ?? line.speaker,
    language: line.language,
    ...excerptSentence(line.text, hit),
  }
}

/** Texts are scanned once for all watch lists. */
function remember(find: KeywordMatcher): KeywordMatcher {
  const known = new Map<string, KeywordHit[]>()
  return (text, language = null) => {
    const key = `${language} ${text}`
    const hits = known.get(key) ?? find(text, language)
    known.set(key, hits)
    return hits
  }
}
