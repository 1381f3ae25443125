import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { findKeywords } from './find-keywords.ts'
import { noKeywords } from './keywords.ts'
import { canSoundLike } from './sounds-like.ts'
import { anyText } from './testing/any-text.ts'

/** Returns the hits of keywords, all of which also match similar words; similar hits have a prefix. */
function found(text: string, ...custom: string[]): string[] {
  return findKeywords(text, { ...noKeywords(), custom, sounds_like: custom }).map(
    ({ start, end, isSimilar }) => `${isSimilar ? '≈' : ''}${text.slice(start, end)}`,
  )
}

test.each([
  ['a keyword of up to three letters matches as written only', 'gun gum', 'gun', ['gun']],
  ['in four to six letters one may differ', 'bridge bride bridges brigde', 'bridge', ['bridge', '≈bride', '≈bridges']],
  ['in seven or more letters two may differ', 'weapons wapuns wepn', 'weapons', ['weapons', '≈wapuns']],
  ['letters are counted as folded', 'Lübek', 'Luebeck', ['≈Lübek']],
  ['in the Arabic script', 'په بازار کې بریدنه او بریدونې وشوه', 'بریدونه', ['≈بریدنه', '≈بریدونې']],
  ['another spelling of the same word counts as written', 'حمله', 'حملہ', ['حمله']],
  ['the words of a keyword are compared one by one', 'a suicid atack now', 'suicide attack', ['≈suicid atack']],
  ['a short word of a keyword matches as written only', 'the bin weapon, the big wepon', 'big weapon', ['≈big wepon']],
  ['the words of a keyword must be adjacent', 'suicid, atack', 'suicide attack', []],
  ['not across a full stop', 'suicide. attack', 'suicide attack', []],
  ['only whole words match', 'unweaponized', 'weapon', []],
])('%s', (_, text, keyword, hits) => {
  expect(found(text, keyword)).toEqual(hits)
})

test('prefers a word as written to one that sounds like it', () => {
  expect(found('the bride came', 'bridge', 'bride')).toEqual(['bride'])
  const keywords = { ...noKeywords(), threats: ['bridge'], custom: ['the bride came'], sounds_like: ['bridge'] }
  expect(findKeywords('the bride came', keywords)).toEqual([
    { category: 'custom', keyword: 'the bride came', start: 0, end: 14 },
  ])
})

test('finds the closer of two similar keywords', () => {
  const keywords = {
    ...noKeywords(),
    threats: ['explosion'],
    custom: ['explosive'],
    sounds_like: ['explosion', 'explosive'],
  }
  expect(findKeywords('explosives', keywords)).toEqual([
    { category: 'custom', keyword: 'explosive', start: 0, end: 10, isSimilar: true },
  ])
})

test('finds keywords without the option as written only', () => {
  expect(findKeywords('the bride', { ...noKeywords(), custom: ['bridge'] })).toEqual([])
  expect(findKeywords('the bride', { ...noKeywords(), custom: ['bridge'], sounds_like: ['another'] })).toEqual([])
})

test.each([
  ['gun', false],
  ['به بم', false],
  ['bomb', true],
  ['a bomb', true],
])('whether similar words can match %j', (keyword, can) => {
  expect(canSoundLike(keyword)).toBe(can)
})

test('keeps every exact hit and returns no overlapping ones, for any text', () => {
  fc.assert(
    fc.property(anyText(), fc.array(anyText(), { maxLength: 5 }), (text, words) => {
      const custom = [...words, text.slice(0, 6), text.slice(3, 9)]
      const plain = findKeywords(text, { ...noKeywords(), custom })
      const both = findKeywords(text, { ...noKeywords(), custom, sounds_like: custom })
      expect(both.filter(({ isSimilar }) => !isSimilar)).toEqual(plain)
      for (const [index, hit] of both.entries()) expect(hit.start).toBeGreaterThanOrEqual(both[index - 1]?.end ?? 0)
    }),
  )
})

test('a name sounds like its other spellings, in Arabic script and in Latin, in one word or two', () => {
  expect(found('from قندهار to کندهار and Qandahar', 'Kandahar')).toEqual(['≈قندهار', '≈کندهار', '≈Qandahar'])
  expect(found('Mohammad and Muhammad, not Ahmad', 'محمد')).toEqual(['≈Mohammad', '≈Muhammad'])
  expect(found('احمد شاه راغی', 'احمدشاه')).toEqual(['≈احمد شاه'])
  expect(found('Ali, إلى', 'علی')).toEqual(['≈Ali'])
})
