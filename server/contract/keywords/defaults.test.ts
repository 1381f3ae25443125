import { expect, test } from 'vitest'
import { builtInKeywords, defaultKeywords, keywordsInUse } from './defaults.ts'
import { keywordCategoryNames, maxKeywordLength, noKeywords } from './keywords.ts'

const { threats, sentiment, intent, custom } = defaultKeywords

test('the built-in lists have words of six languages in each category but the own one', () => {
  expect(threats).toEqual(expect.arrayContaining(['bomb', 'بمونه', 'دھماکہ', 'گروگان', 'مرمی', 'قنبلة']))
  expect(sentiment).toEqual(expect.arrayContaining(['thank you', 'ډېر ښه', 'بہت اچھا', 'ممنونم', 'جگرخون', 'أشكرك']))
  expect(intent).toEqual(expect.arrayContaining(['meeting', 'غونډه', 'ملاقات', 'جلسه', 'پیسه', 'اجتماع']))
  expect(custom).toEqual([])
})

test('a text has the words of its own language; Persian and Dari have those of both', () => {
  expect(builtInKeywords('ur').threats).toContain('دھماکہ')
  expect(builtInKeywords('ur').threats).not.toContain('bomb')
  expect(builtInKeywords('fa')).toEqual(builtInKeywords('prs'))
  expect(builtInKeywords('fa').threats).toEqual(expect.arrayContaining(['گروگان', 'مرمی']))
  expect(builtInKeywords('de')).toEqual(noKeywords())
})

test('a built-in word is one that a person could add: trimmed, in small letters, not too long, once', () => {
  for (const words of [threats, sentiment, intent]) {
    expect(words.filter((word) => word === '' || word !== word.trim().toLowerCase())).toEqual([])
    expect(words.filter((word) => word.length > maxKeywordLength || /\s{2}/.test(word))).toEqual([])
    expect(new Set(words).size).toBe(words.length)
  }
})

test('the built-in lists apply until a person has a word', () => {
  expect(keywordsInUse(noKeywords())).toBe(defaultKeywords)
  const own = { ...noKeywords(), custom: ['a'] }
  expect(keywordsInUse(own)).toBe(own)
})

test('the categories have English names with a subtitle in Pashto and Urdu', () => {
  expect(Object.values(keywordCategoryNames).map(({ name }) => name)).toEqual([
    'Threats',
    'Sentiment',
    'Intent',
    'Custom',
  ])
  for (const { pashto, urdu } of Object.values(keywordCategoryNames)) {
    expect([pashto, urdu]).toEqual([expect.stringMatching(/^[\p{L} ]+$/u), expect.stringMatching(/^[\p{L} ]+$/u)])
  }
})
