import { z } from 'zod'
import { t } from './texts/t.ts'

/** The maximum number of words in a list. */
export const maxListedWords = 500

/** The maximum length of a word or another spelling of it, in UTF-16 units. */
export const maxListedWordCharacters = 60

/** A name such as "Khan Abdul Ghaffar Khan" has four words. */
export const maxPartsOfListedWord = 4

/** The maximum number of other spellings of a word. */
export const maxOtherSpellings = 8

function describeTooManySpellings(): string {
  return t('A word has at most {count, plural, one {# other spelling} other {# other spellings}}', {
    count: maxOtherSpellings,
  })
}

const Spelling = z
  .string()
  .overwrite(cleanSpelling)
  .max(maxListedWordCharacters, {
    error: () =>
      t('A word has at most {count, plural, one {# character} other {# characters}}', {
        count: maxListedWordCharacters,
      }),
  })
  .refine((text) => /[\p{L}\p{N}]/u.test(text), t('A word has at least one letter or digit'))
  .refine((text) => text.split(' ').length <= maxPartsOfListedWord, {
    error: () =>
      t('A name has at most {count, plural, one {# word} other {# words}} separated by blanks', {
        count: maxPartsOfListedWord,
      }),
  })

/** A name, place or term as it should be written, and how it was misheard. */
export const ListedWord = z.object({
  word: Spelling,
  /** Spellings that are replaced by this word wherever they are recognized. */
  heard_as: z.array(Spelling).max(maxOtherSpellings, { error: describeTooManySpellings }).default([]),
})
export type ListedWord = z.infer<typeof ListedWord>

/** The words of a user or a case, in the order added. `revision` increases with every change; 0 means never changed. */
export const WordList = z.object({ revision: z.int().nonnegative(), words: z.array(ListedWord) })
export type WordList = z.infer<typeof WordList>

/** A complete list to store. `revision` is that of the list on which the caller's changes are based. */
export const NewWordList = z.object({
  revision: z.int().nonnegative(),
  words: z
    .array(ListedWord)
    .overwrite(mergeRepeated)
    .superRefine((words, context) => {
      for (const [index, { heard_as }] of words.entries()) {
        if (heard_as.length <= maxOtherSpellings) continue
        context.addIssue({ code: 'custom', path: [index, 'heard_as'], message: describeTooManySpellings() })
      }
    })
    .refine((words) => words.length <= maxListedWords, {
      error: () => t('A list has at most {count, plural, one {# word} other {# words}}', { count: maxListedWords }),
    }),
})
export type NewWordList = z.infer<typeof NewWordList>

/**
 * Merges entries of the same word, at the position of the first. Other spellings equal to the word itself are left out. A word may then
 * have more spellings than the maximum, which `NewWordList` refuses.
 */
export function mergeRepeated(words: readonly ListedWord[]): ListedWord[] {
  const byWord = Map.groupBy(words, ({ word }) => word)
  return [...byWord].map(([word, entries]) => {
    const spellings = new Set(entries.flatMap(({ heard_as }) => heard_as))
    spellings.delete(word)
    return { word, heard_as: [...spellings] }
  })
}

/**
 * Parses pasted words: one per line, with other spellings after an equals sign and separated by commas, as in `Qandahar = Kandahar,
 * Candahar`. Empty lines are ignored.
 */
export function parseWordLines(text: string): ListedWord[] {
  return text.split('\n').flatMap((line) => {
    const [word = '', ...rest] = line.split('=')
    const cleaned = cleanSpelling(word)
    if (cleaned === '') return []
    const spellings = rest
      .join('=')
      .split(/[,،;؛]/u)
      .map(cleanSpelling)
    return [{ word: cleaned, heard_as: spellings.filter((spelling) => spelling !== '') }]
  })
}

/** Removes bidi controls, which come with copied text and are invisible, but keeps the joiners used in Persian and Pashto spelling. */
function cleanSpelling(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/\p{Bidi_Control}/gu, '')
    .normalize()
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
}
