import { expect, test } from 'vitest'
import { foldedWords, foldTranscript } from './fold-transcript.ts'

test.each([
  ['case and punctuation', 'Now, as ALL books: not—primarily!', 'now as all books not primarily'],
  ['apostrophes inside words', "I don’t, it's", 'i dont its'],
  ['accents', 'Café', 'cafe'],
  ['vowel marks of Arabic', 'اَلْكُرَةُ', 'الکره'],
  ['tatweel', 'قنـــبلة', 'قنبله'],
  ['forms of alef', 'أإآٱا', 'ااااا'],
  ['forms of yeh and kaf', 'ي ى ك', 'ی ی ک'],
  ['Arabic and Persian digits', '١٢٣ ۴۵۶', '123 456'],
  ['punctuation of the Arabic script', 'سلام! خوبی؟ بله، «خوبم».', 'سلام خوبی بله خوبم'],
  ['the joiner inside a word', 'می\u200Cروم', 'میروم'],
  ['a text without a word', ' … ?! ', ''],
])('folds %s', (_, text, folded) => {
  expect(foldTranscript(text)).toBe(folded)
})

test('splits at spaces and returns nothing for an empty text', () => {
  expect(foldedWords(' One,  two. ')).toEqual(['one', 'two'])
  expect(foldedWords(' ♪ ')).toEqual([])
})

test('keeps different words distinct', () => {
  expect(foldTranscript('باب')).not.toBe(foldTranscript('بات'))
  expect(foldTranscript('their')).not.toBe(foldTranscript('there'))
})
