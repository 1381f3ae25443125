import type { WordList } from '#contract/word-lists.ts'

/** The words of a user or of a case, in the state in which a transcription began. */
export interface UsedWordList extends WordList {
  of: 'user' | 'case'
  /** Of the user or the case. */
  id: string
}

/** Names a version of a list without its words, for the provenance of a transcription. */
export function describeWordList({ of, id, revision }: UsedWordList): string {
  return `${of} ${id} revision ${revision}`
}
