import type { KeywordCategory } from './keywords.ts'

/** A keyword that similar words match too. */
export interface SimilarKeyword {
  category: KeywordCategory
  keyword: string
}

/** A place in a text that sounds like a keyword. */
export interface SimilarCandidate extends SimilarKeyword {
  /** In UTF-16 code units of the folded text, end exclusive. */
  from: number
  to: number
  distance: number
}

/** A word of a folded text, in its units. */
export interface TextWord {
  folded: string
  from: number
  to: number
}
