import { expect, test } from 'vitest'
import {
  describeLanguage,
  isDetection,
  isTranslationLanguage,
  TranscriptionLanguageChoice,
  translationLanguages,
} from './languages.ts'

const codes = Object.keys(translationLanguages)

test('each language has a two-letter code, a name in English and a name of its own', () => {
  const named = codes.filter((code) => /^[a-z]{2}$/.test(code) && /^[A-Z][a-z]/.test(describeLanguage(code).name))
  expect(named).toEqual(codes)
  expect(codes.filter((code) => !/\p{L}[\p{L}\p{M}]/u.test(describeLanguage(code).nativeName))).toEqual([])
  expect(new Set(codes.map((code) => describeLanguage(code).name)).size).toBe(codes.length)
})

test('a language is written from right to left where its own name is', () => {
  const rightToLeft = /^[\p{Script=Arabic}\p{Script=Hebrew}]/u
  for (const code of codes) {
    const { nativeName, direction } = describeLanguage(code)
    expect([code, direction]).toEqual([code, rightToLeft.test(nativeName) ? 'rtl' : 'ltr'])
  }
  expect(codes.filter((code) => describeLanguage(code).direction === 'rtl')).toEqual(
    expect.arrayContaining(['ps', 'ur', 'fa', 'ar', 'he']),
  )
})

test('an unknown language is called by its code', () => {
  expect(isTranslationLanguage('xx')).toBe(false)
  expect(isTranslationLanguage('toString')).toBe(false)
  expect(describeLanguage('xx')).toEqual({ name: 'xx', nativeName: 'xx', direction: 'ltr' })
})

test('a language is chosen, or detected in the whole or in parts', () => {
  const choices = TranscriptionLanguageChoice.options
  expect(choices).toEqual(['auto', 'multi', 'ps', 'en', 'ur', 'fa', 'ar'])
  expect(choices.filter(isDetection)).toEqual(['auto', 'multi'])
})
