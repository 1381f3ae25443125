import { foldKeyword } from '#contract/keywords/fold.ts'
import type { ListedWord } from '#contract/word-lists.ts'

/** Returns whether a word or another spelling of it contains what is searched for, whatever case and accents. */
export function matchesSearch({ word, heard_as: others }: ListedWord, search: string): boolean {
  const wanted = foldKeyword(search)
  return [word, ...others].some((spelling) => foldKeyword(spelling).includes(wanted))
}
