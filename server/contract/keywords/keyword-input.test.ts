import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { addKeywords, parseKeywordInput } from './keyword-input.ts'

test.each([
  ['bomb, gun', ['bomb', 'gun']],
  ['بم، وسله', ['بم', 'وسله']],
  ['بم؛ وسله; gun', ['بم', 'وسله', 'gun']],
  ['suicide attack  border crossing', ['suicide attack', 'border crossing']],
  ['  Bomb  ,, ;GUN;  ', ['bomb', 'gun']],
  ['one   two', ['one', 'two']],
  ['', []],
])('%j is read as %j', (text, keywords) => {
  expect(parseKeywordInput(text)).toEqual(keywords)
})

test('29 characters are kept and 30 dropped', () => {
  expect(parseKeywordInput(`${'a'.repeat(29)}, ${'b'.repeat(30)}`)).toEqual(['a'.repeat(29)])
})

test('returns what was added and what the category had already', () => {
  expect(addKeywords(['bomb'], 'BOMB, gun, Gun')).toEqual({
    keywords: ['bomb', 'gun'],
    added: ['gun'],
    duplicates: ['bomb', 'gun'],
    tooLong: [],
  })
})

test('keeps each keyword once and in order, for any input', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string()), fc.string(), (existing, input) => {
      const { keywords, added } = addKeywords(existing, input)
      expect(new Set(keywords).size).toBe(keywords.length)
      expect(keywords).toEqual([...existing, ...added])
      expect(added.every((word) => word === word.trim() && word.length > 0 && word.length < 30)).toBe(true)
    }),
  )
})
