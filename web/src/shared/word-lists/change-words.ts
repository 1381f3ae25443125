import { mergeRepeated, type ListedWord } from '#contract/word-lists.ts'
import type { WordListChange } from './use-word-list.ts'

/** Adds words at the end; a word that is there already gets their other spellings. */
export function addWords(added: readonly ListedWord[]): WordListChange {
  return (words) => mergeRepeated([...words, ...added])
}

export function removeWord({ word }: Pick<ListedWord, 'word'>): WordListChange {
  return (words) => words.filter((entry) => entry.word !== word)
}

/** Puts a word where it was. */
export function insertWord(entry: ListedWord, index: number): WordListChange {
  return (words) => mergeRepeated(words.toSpliced(index, 0, entry))
}

/** Puts others in the place of a word; at the end where somebody else has removed it. */
export function replaceWord({ word }: Pick<ListedWord, 'word'>, others: readonly ListedWord[]): WordListChange {
  return (words) => {
    const index = words.findIndex((entry) => entry.word === word)
    return mergeRepeated(index < 0 ? [...words, ...others] : words.toSpliced(index, 1, ...others))
  }
}
