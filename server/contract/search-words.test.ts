import { expect, test } from 'vitest'
import { splitWords } from './search-words.ts'

const wordsOf = (text: string) => splitWords(text).map(({ word }) => word)

test.each([
  ['signs and blanks separate words', ' one, two-three\n(four) ', ['one', 'two', 'three', 'four']],
  ['a mark belongs to the letter before it', 'नमस्ते й', ['नमस्ते', 'и\u0306']],
  ['a mark without a letter is no word', '\u093E', []],
  ['an underscore belongs to a Latin word', 'snake_case _', ['snake_case', '_']],
  ['an underscore separates Arabic words, on either side', 'ابن_سین a_ب', ['ابن', 'سین', 'a', 'ب']],
  ['a character of a script without spaces is a word', 'a東京b', ['a', '東', '京', 'b']],
  ['a mark stays with such a character', 'ก็ด', ['ก็', 'ด']],
  ['a character of two units is one letter', '𞤀𞤣 𐐨a', ['𞤢𞤣', '𐐨a']],
  ['such a character of a script without spaces is a word', '𠀀𠀁', ['𠀀', '𠀁']],
  ['an emoji separates words', 'one😀two', ['one', 'two']],
  ['nothing has no words', '', []],
])('%s', (_, text, words) => {
  expect(wordsOf(text)).toEqual(words)
})

test('a word knows where it is in the text, and which word it is', () => {
  expect(splitWords('An É, ۱۲')).toEqual([
    { word: 'an', start: 0, end: 2, position: 0, span: 1 },
    { word: 'e', start: 3, end: 4, position: 1, span: 1 },
    { word: '12', start: 6, end: 8, position: 2, span: 1 },
  ])
})

test('a word with a zero-width non-joiner comes whole, then in parts, and counts as they do', () => {
  expect(splitWords('می‌خواهم نه')).toEqual([
    { word: 'میخواهم', start: 0, end: 8, position: 0, span: 2 },
    { word: 'می', start: 0, end: 2, position: 0, span: 1 },
    { word: 'خواهم', start: 3, end: 8, position: 1, span: 1 },
    { word: 'نه', start: 9, end: 11, position: 2, span: 1 },
  ])
})

test('another invisible character separates no parts', () => {
  expect(splitWords('a\u200Db')).toEqual([{ word: 'ab', start: 0, end: 3, position: 0, span: 1 }])
})

test('a long word is cut to 48 units, never within a character', () => {
  expect(wordsOf('a'.repeat(49))).toEqual(['a'.repeat(48)])
  expect(wordsOf(`a${'𐐨'.repeat(30)}`)).toEqual([`a${'𐐨'.repeat(23)}\uFFFD`])
})
