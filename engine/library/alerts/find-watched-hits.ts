import { createKeywordMatcher, type KeywordHit, type KeywordMatcher } from '#contract/keywords/find-keywords.ts'
import type { KeywordsInUse } from '#contract/keywords/defaults.ts'
import { keywordCategories, noKeywords, type KeywordCategory } from '#contract/keywords/keywords.ts'
import { pairHits, timeAtOffset } from '#contract/keywords/pair-hits.ts'
import type { WatchListRecord } from '#data/alerts/watch-lists.ts'
import type { TextLine } from '../recording-text.ts'
import { excerptSentence } from './excerpt-sentence.ts'
import { pairLines, type LineGroup } from './pair-lines.ts'

/** What a watch list found in a text. */
export interface WatchedHit {
  word: string
  /** Null for the watch list's own words. */
  category: KeywordCategory | null
  isSimilar: boolean
  isTranslation: boolean
  timeMs: number
  /** The channel, where each is a separate speaker. */
  side: number | null
  speaker: string | null
  language: string | null
  sentence: string
  markStart: number
  markEnd: number
}

type Watched = Pick<WatchListRecord, 'categories' | 'words' | 'texts'>

/**
 * Returns a function that returns the hits of a watch list in order of time: those that the owner's keywords have on the desk (one where a
 * line and its translation have it), and words of the list's own where no keyword of its categories is.
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
