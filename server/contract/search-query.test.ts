import { expect, test } from 'vitest'
import { findSearchMarks, parseSearchQuery } from './search-query.ts'
import { splitWords } from './search-words.ts'

const termsOf = (query: string) => parseSearchQuery(query).terms.map(({ text }) => text)
const wordsOf = (text: string) => splitWords(text).map(({ word }) => word)

/** Returns what of a text matches a query. */
function marked(query: string, text: string): string[] {
  return findSearchMarks(parseSearchQuery(query), text).map(([from, to]) => text.slice(from, to))
}

test('a query has words, phrases, beginnings and what must not occur', () => {
  const query = parseSearchQuery('one "two  three" fo* -five -"six seven"')
  expect(query.terms.map(({ text, words }) => [text, words.length, words.at(-1)?.isPrefix])).toEqual([
    ['one', 1, false],
    ['two  three', 2, false],
    ['fo', 1, true],
  ])
  expect(query.excluded.map(({ text }) => text)).toEqual(['five', 'six seven'])
  expect(query.problem).toBeNull()
})

test('any pair of quotes makes a phrase, also one that is still open', () => {
  expect(termsOf('“one two” «three four» "five six')).toEqual(['one two', 'three four', 'five six'])
})

test('signs between letters separate the words of a phrase, others are left out', () => {
  const { terms, excluded } = parseSearchQuery('co-operate ... - don’t')
  expect(terms.map(({ words }) => words.map(({ forms }) => forms[0]?.[0]))).toEqual([
    ['co', 'operate'],
    ['don', 't'],
  ])
  expect(excluded).toEqual([])
})

test.each([
  ['', 'Please enter a word'],
  ['"" - *', 'Please enter a word'],
  ['-one', 'Please add a word that must occur'],
  ['ب*', 'Please enter at least 2 letters before the asterisk'],
  ['a '.repeat(21), 'Please search for at most 20 words at once'],
])('%j cannot be searched', (query, problem) => {
  expect(parseSearchQuery(query).problem).toBe(problem)
})

test('words are found in every spelling of the Arabic script, in any case and with any digits', () => {
  expect(marked('کراچی', 'كراچي بازار')).toEqual(['كراچي'])
  expect(marked('مُحَمَّد', 'محمد راغی')).toEqual(['محمد'])
  expect(marked('CAFE 12', 'Café ۱۲')).toEqual(['Café', '۱۲'])
})

test.each(['می‌خواهم', 'میخواهم', '"می خواهم"'])('%s finds the word with a zero-width non-joiner', (query) => {
  expect(marked(query, 'من می‌خواهم بروم')).toEqual(['می‌خواهم'])
})

test('a word with a zero-width non-joiner is found in one piece and as two words', () => {
  expect(marked('می‌خواهم', 'میخواهم')).toEqual(['میخواهم'])
  expect(marked('می‌خواهم', 'می خواهم')).toEqual(['می خواهم'])
})

test('the words of a phrase follow one another; one that is repeated counts once', () => {
  expect(marked('"the blue car"', 'the blue car, the car, blue the blue blue car')).toEqual([
    'the blue car',
    'the blue blue car',
  ])
  expect(marked('"blue ca*"', 'blue cars and blue bikes')).toEqual(['blue cars'])
})

test('parts of words are not words', () => {
  expect(marked('art', 'party art')).toEqual(['art'])
  expect(marked('سین', 'ابن_سین')).toEqual(['سین'])
})

test('every character of a script without spaces is a word', () => {
  expect(wordsOf('東京とす')).toEqual(['東', '京', 'と', 'す'])
  expect(marked('京と', '東京とす')).toEqual(['京と'])
})

test('a phrase in a long line of one word takes no time', () => {
  const startedAt = performance.now()
  marked(`"${'no '.repeat(20)}"`, 'no '.repeat(5_000))
  expect(performance.now() - startedAt).toBeLessThan(2_000)
})
