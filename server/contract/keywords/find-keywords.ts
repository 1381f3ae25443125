import { builtInKeywords, type KeywordsInUse } from './defaults.ts'
import { foldKeyword, foldText } from './fold.ts'
import type { FoldedText } from './fold.ts'
import { keywordCategories } from './keywords.ts'
import type { KeywordCategory, Keywords } from './keywords.ts'
import { createSimilarFinder } from './sounds-like.ts'
import type { SimilarKeyword } from './similar.ts'
import { isWholeWord } from './word-edges.ts'

/** A keyword found in a text; `start` and `end` are UTF-16 offsets, so that `text.slice(start, end)` is the match. */
export interface KeywordHit {
  category: KeywordCategory
  keyword: string
  start: number
  end: number
  /** Set when the text has a different word that sounds like the keyword. */
  isSimilar?: true
}

/** Finds the keywords for which it was created; see findKeywords. `language` is that of the text, if known. */
export type KeywordMatcher = (text: string, language?: string | null) => KeywordHit[]

interface TrieNode {
  next: Map<number, TrieNode>
  word: { category: KeywordCategory; keyword: string } | undefined
}

interface Candidate {
  category: KeywordCategory
  keyword: string
  /** Offsets in units of the folded text, end exclusive. */
  from: number
  to: number
  /** The number of letters that differ from the keyword. */
  distance: number
}

/**
 * Returns the keywords in `text` in order of position, without overlaps: the longer match wins, then the earlier one. A word in two
 * categories counts for the first. A word that only sounds like a keyword never replaces a literal match. Rules: audio-workflow
 * specification, section 5, and docs/decisions/keyword-matching.md. To search many texts for the same keywords, use
 * createKeywordMatcher.
 */
export function findKeywords(text: string, keywords: KeywordsInUse, language: string | null = null): KeywordHit[] {
  return createKeywordMatcher(keywords)(text, language)
}

/**
 * Prepares `keywords` once for any number of texts. Time grows with the length of the text, but hardly with the number of keywords. Texts
 * are searched for the built-in keywords of their own language only, but for all other keywords.
 */
export function createKeywordMatcher(keywords: KeywordsInUse): KeywordMatcher {
  if (!keywords.isBuiltIn) return createListMatcher(keywords)
  const byLanguage = new Map<string | null, KeywordMatcher>()
  return (text, language = null) => {
    const find = byLanguage.get(language) ?? createListMatcher(builtInKeywords(language))
    byLanguage.set(language, find)
    return find(text)
  }
}

function createListMatcher(keywords: Keywords): KeywordMatcher {
  const root = buildTrie(keywords)
  const findSimilar = createSimilarFinder(listSimilar(keywords))
  return (text) => {
    if (root.next.size === 0) return []
    const folded = foldText(text)
    const candidates = [...collectCandidates(folded, root), ...findSimilar(folded)]
    return dropOverlaps(candidates, folded.units.length).map(({ category, keyword, from, to, distance }) => ({
      category,
      keyword,
      start: folded.starts[from] ?? 0,
      end: folded.ends[to - 1] ?? text.length,
      ...(distance > 0 && { isSimilar: true as const }),
    }))
  }
}

/** Returns the keywords that similar words also match, in the order of the categories. */
function listSimilar(keywords: Keywords): SimilarKeyword[] {
  const similar = new Set(keywords.sounds_like)
  return keywordCategories.flatMap((category) =>
    keywords[category].filter((keyword) => similar.has(keyword)).map((keyword) => ({ category, keyword })),
  )
}

/** Counts the hits per category. */
export function countHits(hits: readonly KeywordHit[]): Record<KeywordCategory, number> {
  const counts = { threats: 0, sentiment: 0, intent: 0, custom: 0 }
  for (const hit of hits) counts[hit.category] += 1
  return counts
}

function buildTrie(keywords: Keywords): TrieNode {
  const root: TrieNode = { next: new Map(), word: undefined }
  for (const category of keywordCategories) {
    for (const keyword of keywords[category]) {
      const folded = foldKeyword(keyword)
      if (folded === '') continue
      const node = insertPath(root, folded)
      node.word ??= { category, keyword }
    }
  }
  return root
}

function insertPath(root: TrieNode, folded: string): TrieNode {
  let node = root
  for (let index = 0; index < folded.length; index++) {
    const unit = folded.charCodeAt(index)
    let child = node.next.get(unit)
    if (!child) {
      child = { next: new Map(), word: undefined }
      node.next.set(unit, child)
    }
    node = child
  }
  return node
}

function collectCandidates(folded: FoldedText, root: TrieNode): Candidate[] {
  const { units } = folded
  const candidates: Candidate[] = []
  for (let from = 0; from < units.length; from++) {
    let node: TrieNode | undefined = root
    for (let to = from; to < units.length;) {
      node = node.next.get(units[to] ?? 0)
      if (!node) break
      to += 1
      if (node.word && isWholeWord(folded, from, to)) candidates.push({ ...node.word, from, to, distance: 0 })
    }
  }
  return candidates
}

/** Prefers literal matches, then longer, then earlier ones; among similar words, the closest. */
function dropOverlaps(candidates: Candidate[], unitCount: number): Candidate[] {
  if (candidates.length < 2) return candidates
  const isTaken = new Uint8Array(unitCount)
  const byRank = candidates.toSorted(
    (a, b) =>
      Number(a.distance > 0) - Number(b.distance > 0) ||
      b.to - b.from - (a.to - a.from) ||
      a.distance - b.distance ||
      a.from - b.from,
  )
  const kept = byRank.filter(({ from, to }) => {
    if (isTaken.subarray(from, to).includes(1)) return false
    isTaken.fill(1, from, to)
    return true
  })
  return kept.toSorted((a, b) => a.from - b.from)
}
