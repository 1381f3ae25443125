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
  ['punctuation parts Latin words', '"bomb",(bomb)', 'bomb', ['bomb', 'bomb']],
  ['an accent on a Latin letter is no difference', 'Lübeck, Lubeck', 'lubeck', ['Lübeck', 'Lubeck']],
  ['nor is one in the keyword', 'Lübeck, Lubeck', 'lübeck', ['Lübeck', 'Lubeck']],
  ['a letter with an accent parts no words', 'ébomb bombé', 'bomb', []],
  ['an accent written as a mark belongs to its letter', 'cafe\u0301 cafe', 'cafe', ['cafe\u0301', 'cafe']],
  ['composed and decomposed accents are the same', 'cafe\u0301', 'café', ['cafe\u0301']],
  ['an underscore joins Latin words', 'bomb_threat', 'bomb', []],
  ['an Arabic-script word is found between blanks', 'په کور کې بم دی', 'بم', ['بم']],
  ['an Arabic-script word is found at the edges', 'بم', 'بم', ['بم']],
  ['not inside a longer word', 'بمونه او ضبم', 'بم', []],
  ['not with a prefix written to it', 'والسلاح', 'السلاح', []],
  ['Arabic punctuation is an edge', 'بم، بم؟ «بم»', 'بم', ['بم', 'بم', 'بم']],
  ['Latin punctuation is an edge', '(بم) بم.', 'بم', ['بم', 'بم']],
  ['an underscore parts the words of a hashtag', '#وسله_بم', 'بم', ['بم']],
  ['Arabic spelling finds Persian letters', 'یک خبر', 'يك', ['یک']],
  ['Persian spelling finds Arabic letters', 'أسلحة كثيرة', 'اسلحه', ['أسلحة']],
  ['Urdu spelling finds Pashto letters', 'حمله وکړه', 'حملہ', ['حمله']],
  ['vowel marks inside and after belong to the hit', 'بَمٌ دی', 'بم', ['بَمٌ']],
  ['tatweel belongs to the hit', 'قنـبلة', 'قنبلة', ['قنـبلة']],
  ['the joining blank does not part words', 'می\u200Cروم', 'می', []],
  ['the joining blank is found without it', 'می\u200Cروم', 'میروم', ['می\u200Cروم']],
  ['direction marks stay outside the hit', '\u2067بم\u2069', 'بم', ['بم']],
  ['digits of every row are the same', 'room ۱۲٣', 'room 123', ['room ۱۲٣']],
  ['words of one keyword may stand on two lines', 'suicide\n  attack', 'suicide attack', ['suicide\n  attack']],
  ['words of one keyword are not parted by a full stop', 'suicide. attack', 'suicide attack', []],
  ['a keyword may end in a symbol', 'write c++ code', 'c++', ['c++']],
  ['scripts without blanks have no word edges', '有炸弹吗', '炸弹', ['炸弹']],
  ['a keyword of marks alone finds nothing', 'بَمَ', '\u064E', []],
  ['a letter is never cut in two', 'ﻼ', 'ل', []],
  ['letters outside the first plane keep their place', '😀 bomb 😀', 'bomb', ['bomb']],
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
])('the built-in lists find the telling words of %j', (text, words) => {
  expect(findKeywords(text, defaultKeywords).map((hit) => text.slice(hit.start, hit.end))).toEqual(words)
})

/** Keywords cut out of the text itself, so that most of them are there to be found. */
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
