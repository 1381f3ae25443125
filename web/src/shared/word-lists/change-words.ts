import { mergeRepeated, NewWordList, type ListedWord } from '#contract/word-lists.ts'
import type { WordListChange } from './use-word-list.ts'

/** Adds words at the end; a word that is already in the list gets the new spellings. */
export function addWords(added: readonly ListedWord[]): WordListChange {
  return (words) => mergeRepeated([...words, ...added])
}

export function removeWord({ word }: Pick<ListedWord, 'word'>): WordListChange {
  return (words) => words.filter((entry) => entry.word !== word)
}

/** Puts a word back where it was. */
export function insertWord(entry: ListedWord, index: number): WordListChange {
  return (words) => mergeRepeated(words.toSpliced(index, 0, entry))
}

/**
 * Replaces a word with others, or adds them at the end if someone else has removed it. `edited` is the word as it was before the change:
 * spellings that someone else has added since are kept.
 */
export function replaceWord(edited: ListedWord, others: readonly ListedWord[]): WordListChange {
  return (words) => {
    const index = words.findIndex(({ word }) => word === edited.word)
    if (index < 0) return mergeRepeated([...words, ...others])
    const addedSince = words[index]?.heard_as.filter((spelling) => !edited.heard_as.includes(spelling)) ?? []
    const { word } = others.find((other) => other.word === edited.word) ?? others[0] ?? edited
    return mergeRepeated(words.toSpliced(index, 1, ...others, { word, heard_as: addedSince }))
  }
}

/** Returns why a list cannot be stored, with the word concerned; undefined if it can. */
export function findProblem(words: readonly ListedWord[]): string | undefined {
  const issue = NewWordList.shape.words.safeParse(words).error?.issues[0]
  if (!issue) return undefined
  const word = words[Number(issue.path[0])]?.word.slice(0, 40)
  return word === undefined ? issue.message : `${word}: ${issue.message}`
}
