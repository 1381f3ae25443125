import { foldKeyword, foldText } from './fold.ts'
import type { FoldedText } from './fold.ts'
import { keywordCategories } from './keywords.ts'
import type { KeywordCategory, Keywords } from './keywords.ts'
import { hasEdges } from './word-edges.ts'

/** A keyword found in a text; `start` and `end` are UTF-16 offsets there, so that `text.slice(start, end)` is what was found. */
export interface KeywordHit {
  category: KeywordCategory
  keyword: string
  start: number
  end: number
}

/** Finds the keywords it was made for; see findKeywords. */
export type KeywordMatcher = (text: string) => KeywordHit[]

interface TrieNode {
  next: Map<number, TrieNode>
  word: { category: KeywordCategory; keyword: string } | undefined
}

interface Candidate {
  category: KeywordCategory
  keyword: string
  /** In units of the folded text, the end not included. */
  from: number
  to: number
}

/**
 * Every keyword in `text`, in order of place, none overlapping another: the longer one wins, then the earlier one. A word that
 * stands in two categories counts for the first of them. Rules: audio-workflow specification, section 5, and
 * docs/decisions/keyword-matching.md. For many texts and the same keywords use createKeywordMatcher.
 */
export function findKeywords(text: string, keywords: Keywords): KeywordHit[] {
  return createKeywordMatcher(keywords)(text)
}

/** Prepares `keywords` once for any number of texts. Time grows with the length of the text, hardly with the number of keywords. */
export function createKeywordMatcher(keywords: Keywords): KeywordMatcher {
  const root = buildTrie(keywords)
  return (text) => {
    if (root.next.size === 0) return []
    const folded = foldText(text)
    return dropOverlaps(collectCandidates(folded, root), folded.units.length).map(
      ({ category, keyword, from, to }) => ({
        category,
        keyword,
        start: folded.starts[from] ?? 0,
        end: folded.ends[to - 1] ?? text.length,
      }),
    )
  }
}

/** Hits per category. */
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
      const node = growTo(root, folded)
      node.word ??= { category, keyword }
    }
  }
  return root
}

function growTo(root: TrieNode, folded: string): TrieNode {
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
      if (node.word && hasEdges(folded, from, to)) candidates.push({ ...node.word, from, to })
    }
  }
  return candidates
}

/** Longer first, then earlier. Whoever comes later is no longer than what was kept, so an overlap covers one of its ends. */
function dropOverlaps(candidates: Candidate[], unitCount: number): Candidate[] {
  const isTaken = new Uint8Array(unitCount)
  const byLength = candidates.toSorted((a, b) => b.to - b.from - (a.to - a.from) || a.from - b.from)
  const kept = byLength.filter(({ from, to }) => {
    if (isTaken[from] || isTaken[to - 1]) return false
    isTaken.fill(1, from, to)
    return true
  })
  return kept.toSorted((a, b) => a.from - b.from)
}
