import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { packSentences, splitInTwo } from './split-text.ts'

test.each([
  ['One. Two! Three?', ['One.', 'Two!', 'Three?']],
  ['یو۔ دوه؟ درې', ['یو۔', 'دوه؟', 'درې']],
  ['He said "go." Then left.', ['He said "go."', 'Then left.']],
  ['一。二。', ['一。', '二。']],
  ['version 1.2 of it', ['version 1.2 of it']],
])('splits %j into its sentences', (text, sentences) => {
  expect(packSentences(text, 0)).toEqual(sentences)
})

test('packs sentences up to the limit', () => {
  expect(packSentences('aa. bb. cc. dddddddddd. e.', 7)).toEqual(['aa. bb.', 'cc.', 'dddddddddd.', 'e.'])
})

test('splits at the sentence end nearest the middle', () => {
  expect(splitInTwo('One two three. Four. Five six seven eight.', 'sentence')).toEqual([
    'One two three. Four.',
    'Five six seven eight.',
  ])
})

test.each([
  ['clauses', 'one two, three four five', ['one two,', 'three four five']],
  ['words', 'one two three four', ['one two', 'three four']],
  ['characters', '漢字漢', ['漢字', '漢']],
])('without sentences splits at %s with `anywhere`', (_, text, parts) => {
  expect(splitInTwo(text, 'sentence')).toBeNull()
  expect(splitInTwo(text, 'anywhere')).toEqual(parts)
})

test('splitting loses nothing, and both parts are shorter', () => {
  const glyph = fc.constantFrom(...'ab بم漢😀.،!? 。\n')
  fc.assert(
    fc.property(fc.string({ unit: glyph }), (text) => {
      const parts = splitInTwo(text, 'anywhere') ?? [text]
      const withoutGaps = (value: string) => value.replaceAll(/\s/gu, '')
      expect(withoutGaps(parts.join(''))).toBe(withoutGaps(text))
      expect(parts.length === 1 ? [...text].length < 2 : parts.every((part) => part.length < text.length)).toBe(true)
      expect(withoutGaps(packSentences(text, 5).join(''))).toBe(withoutGaps(text))
    }),
  )
})
