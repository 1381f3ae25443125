import type { WordList } from '#contract/word-lists.ts'

/** The words of a user or of a case, as of the start of a transcription. */
export interface UsedWordList extends WordList {
  of: 'user' | 'case'
  /** Id of the user or the case. */
  id: string
}

/** Identifies a version of a list without its words, for the provenance of a transcription. */
export function describeWordList({ of, id, revision }: UsedWordList): string {
  return `${of} ${id} revision ${revision}`
}
