import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { defaultKeywords } from './defaults.ts'
import { countHits, createKeywordMatcher, findKeywords } from './find-keywords.ts'
import { foldKeyword } from './fold.ts'
import { noKeywords } from './keywords.ts'
import type { Keywords } from './keywords.ts'
import { anyText } from './testing/any-text.ts'

function found(text: string, ...threats: string[]): string[] {
  return findKeywords(text, { ...noKeywords(), threats }).map((hit) => text.slice(hit.start, hit.end))
}

test.each([
  ['case does not matter', 'A BOMB here', 'bomb', ['BOMB']],
  ['a Latin word ends where the next letter begins', 'bombs and bombed', 'bomb', []],
  ['punctuation separates Latin words', '"bomb",(bomb)', 'bomb', ['bomb', 'bomb']],
  ['accents of Latin letters in the text are ignored', 'Lübeck, Lubeck', 'lubeck', ['Lübeck', 'Lubeck']],
  ['accents of Latin letters in the keyword are ignored', 'Lübeck, Lubeck', 'lübeck', ['Lübeck', 'Lubeck']],
  ['a letter with an accent does not separate words', 'ébomb bombé', 'bomb', []],
  ['an accent written as a mark belongs to its letter', 'cafe\u0301 cafe', 'cafe', ['cafe\u0301', 'cafe']],
  ['composed and decomposed accents are the same', 'cafe\u0301', 'café', ['cafe\u0301']],
  ['an underscore joins Latin words', 'bomb_threat', 'bomb', []],
  ['an Arabic-script word is found between spaces', 'په کور کې بم دی', 'بم', ['بم']],
  ['an Arabic-script word is found at the edges', 'بم', 'بم', ['بم']],
  ['not inside a longer word', 'بمونه او ضبم', 'بم', []],
  ['not with an attached prefix', 'والسلاح', 'السلاح', []],
  ['Arabic punctuation is a word boundary', 'بم، بم؟ «بم»', 'بم', ['بم', 'بم', 'بم']],
  ['Latin punctuation is a word boundary', '(بم) بم.', 'بم', ['بم', 'بم']],
  ['an underscore separates the words of a hashtag in Arabic script', '#وسله_بم', 'بم', ['بم']],
  ['Arabic spelling finds Persian letters', 'یک خبر', 'يك', ['یک']],
  ['Persian spelling finds Arabic letters', 'أسلحة كثيرة', 'اسلحه', ['أسلحة']],
  ['Urdu spelling finds Pashto letters', 'حمله وکړه', 'حملہ', ['حمله']],
  ['vowel marks inside and after belong to the hit', 'بَمٌ دی', 'بم', ['بَمٌ']],
  ['tatweel belongs to the hit', 'قنـبلة', 'قنبلة', ['قنـبلة']],
  ['a zero-width non-joiner does not separate words', 'می\u200Cروم', 'می', []],
  ['a word with a zero-width non-joiner is found by the keyword without it', 'می\u200Cروم', 'میروم', ['می\u200Cروم']],
  ['direction marks stay outside the hit', '\u2067بم\u2069', 'بم', ['بم']],
  ['digits of all three sets are the same', 'room ۱۲٣', 'room 123', ['room ۱۲٣']],
  ['words of one keyword may be on two lines', 'suicide\n  attack', 'suicide attack', ['suicide\n  attack']],
  ['no full stop may separate the words of a keyword', 'suicide. attack', 'suicide attack', []],
  ['a keyword may end in a symbol', 'write c++ code', 'c++', ['c++']],
  ['scripts without spaces have no word boundaries', '有炸弹吗', '炸弹', ['炸弹']],
  ['a keyword of marks alone finds nothing', 'بَمَ', '\u064E', []],
  ['a ligature is never split', 'ﻼ', 'ل', []],
  ['characters outside the Basic Multilingual Plane keep their offsets', '😀 bomb 😀', 'bomb', ['bomb']],
])('%s', (_, text, keyword, hits) => {
  expect(found(text, keyword)).toEqual(hits)
})

test('finds the longer of two overlapping keywords', () => {
  expect(found('a suicide attack today', 'attack', 'suicide attack', 'suicide')).toEqual(['suicide attack'])
  expect(found('big red car park', 'big red', 'red car park')).toEqual(['red car park'])
})

test('finds a shorter keyword where the longer one at its position lost', () => {
  expect(found('one two three four', 'one two', 'two three four', 'one')).toEqual(['one', 'two three four'])
})

test('counts a word in two categories for the first', () => {
  const hits = findKeywords('bomb', { ...noKeywords(), custom: ['bomb'], threats: ['bomb'] })
  expect(hits).toEqual([{ category: 'threats', keyword: 'bomb', start: 0, end: 4 }])
})

test('counts hits per category', () => {
  const keywords: Keywords = { threats: ['بم'], sentiment: ['angry'], intent: ['meeting'], custom: [] }
  const hits = findKeywords('angry angry meeting بم', keywords)
  expect(countHits(hits)).toEqual({ threats: 1, sentiment: 2, intent: 1, custom: 0 })
})

test.each([
  ['there is a bomb at the bridge tonight', ['bomb']],
  ['زما ورور نن غوسه دی', ['غوسه']],
  ['په بازار کې حمله وکړه', ['حمله']],
  ['میرا دوست ناراض ہے', ['ناراض']],
  ['ہتھیار گھر پر لاؤ', ['ہتھیار', 'لاؤ']],
])('the built-in lists find the relevant words of %j', (text, words) => {
  expect(findKeywords(text, defaultKeywords).map((hit) => text.slice(hit.start, hit.end))).toEqual(words)
})

/** Keywords cut from the text itself, so that most of them occur in it. */
const textAndKeywords = anyText().chain((text) => {
  const place = fc.nat(Math.max(0, text.length))
  const piece = fc.tuple(place, fc.integer({ min: 1, max: 6 })).map(([at, length]) => text.slice(at, at + length))
  return fc.tuple(fc.constant(text), fc.array(fc.oneof(piece, anyText()), { maxLength: 8 }))
})

test('returns hits that do not overlap and fold to their keyword, for any text', () => {
  fc.assert(
    fc.property(textAndKeywords, ([text, custom]) => {
      const hits = findKeywords(text, { ...noKeywords(), custom })
      let end = 0
      for (const hit of hits) {
        expect(hit.start).toBeGreaterThanOrEqual(end)
        expect(hit.end).toBeGreaterThan(hit.start)
        expect(foldKeyword(text.slice(hit.start, hit.end))).toBe(foldKeyword(hit.keyword))
        end = hit.end
      }
    }),
    { numRuns: 1000 },
  )
})

test('finds a keyword that is the whole text', () => {
  fc.assert(
    fc.property(anyText(), (text) => {
      const hits = createKeywordMatcher({ ...noKeywords(), custom: [text] })(text)
      expect(hits.length).toBe(foldKeyword(text) === '' ? 0 : 1)
    }),
  )
})

test('of the built-in keywords a text is scanned for those of its language, and for all where it is unknown', () => {
  const text = 'من غصه نمی‌خورم، ممنونم, thanks'
  const found = (language: string | null) =>
    findKeywords(text, defaultKeywords, language).map(({ start, end }) => text.slice(start, end))
  expect(found('fa')).toEqual(['ممنونم'])
  expect(found('ur')).toEqual(['غصه'])
  expect(found('en')).toEqual(['thanks'])
  expect(found('de')).toEqual([])
  expect(found(null)).toEqual(['غصه', 'ممنونم', 'thanks'])
})

test('own keywords are found in texts of every language', () => {
  expect(findKeywords('غصه', { ...noKeywords(), custom: ['غصه'] }, 'fa')).toHaveLength(1)
})
