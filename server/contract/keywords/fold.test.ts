import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { foldKeyword, foldText } from './fold.ts'
import { anyText } from './testing/any-text.ts'

test.each([
  ['case', 'BOMB', 'bomb'],
  ['yeh and kaf of Arabic keyboards', 'كي', 'کی'],
  ['teh marbuta', 'أسلحة', 'اسلحه'],
  ['the hamza on its seat', 'أإآٱؤئ', 'ااااوی'],
  ['an alef with a separate madda', '\u0627\u0653', 'ا'],
  ['vowel marks and tatweel', 'بَمـــٌ', 'بم'],
  ['the zero-width non-joiner', 'می\u200Cروم', 'میروم'],
  ['direction marks', '\u2067بم\u2069', 'بم'],
  ['Arabic-Indic and Extended Arabic-Indic digits', '١٢٣ ۴۵۶', '123 456'],
  ['heh of Urdu', 'حملہ', 'حمله'],
  ['gaf of Pashto', 'ګواښ', 'گواښ'],
  ['presentation forms', 'ﺑﻢ', 'بم'],
  [
    'accents of Latin letters',
    'LÜBECK, Şırnak, Łódź, İzmir, São, Ångström',
    'lubeck, sirnak, lodz, izmir, sao, angstrom',
  ],
  ['a separate accent', 'Lu\u0308beck', 'lubeck'],
  ['an accent after an invisible character', 'a\u2067\u0301', 'a'],
  ['Latin ligatures and sharp s', 'Straße, Æsop, Œuvre', 'strasse, aesop, oeuvre'],
  ['yeh of Pashto within and at the end of a word', 'کېږي اندېښمن لومړۍ', 'کیږی اندیښمن لومڑی'],
  ['the letters of Pashto for sounds that Urdu has as well', 'ټوپک ډوډۍ ړ', 'ٹوپک ڈوڈی ڑ'],
  ['kaf of Sindhi and alef with a wavy hamza', 'ڪتاب ٲ', 'کتاب ا'],
  ['the final sigma of Greek', 'Λόγος', 'λο\u0301γοσ'],
  ['letters of Icelandic, Maltese and Croatian', 'Þórður, Ħal, Đakovo', 'thordur, hal, dakovo'],
  ['white space of any kind and length', ' a \u00A0\n b ', 'a b'],
])('folds %s', (_, text, folded) => {
  expect(foldKeyword(text)).toBe(folded)
})

test.each([
  ['ے', 'ی'],
  ['ځ', 'ح'],
  ['ھ', 'ه'],
  ['ټ', 'ت'],
  ['ں', 'ن'],
  ['й', 'и'],
  ['и\u0306', 'и'],
])('%s and %s remain different letters', (one, other) => {
  expect(foldKeyword(one)).not.toBe(foldKeyword(other))
})

test('maps every unit to the characters that it came from', () => {
  fc.assert(
    fc.property(anyText(), (text) => {
      const { units, starts, ends } = foldText(text)
      for (const [index, unit] of units.entries()) {
        const own = foldText(text.slice(starts[index], ends[index])).units
        expect(own).toContain(unit)
      }
    }),
  )
})

test('returns ascending offsets without overlaps', () => {
  fc.assert(
    fc.property(anyText(), (text) => {
      const { units, starts, ends } = foldText(text)
      for (let index = 1; index < units.length; index++) {
        const isSameCharacter = starts[index] === starts[index - 1]
        expect(isSameCharacter || (starts[index] ?? 0) >= (ends[index - 1] ?? 0)).toBe(true)
      }
    }),
  )
})

test('is idempotent', () => {
  fc.assert(
    fc.property(anyText(), (text) => {
      expect(foldKeyword(foldKeyword(text))).toBe(foldKeyword(text))
    }),
  )
})
