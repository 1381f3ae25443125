import { describe, expect, test } from 'vitest'
import { ListedWord, NewWordList, parseWordLines } from './word-lists.ts'

describe('a list', () => {
  const read = (words: unknown[]) => NewWordList.parse({ revision: 0, words }).words

  test('has each word once, with the other spellings of all its entries', () => {
    const words = [
      { word: ' Qandahar ', heard_as: ['Kandahar'] },
      { word: 'Kabul' },
      { word: 'Qandahar', heard_as: ['Candahar', 'Kandahar'] },
    ]
    expect(read(words)).toEqual([
      { word: 'Qandahar', heard_as: ['Kandahar', 'Candahar'] },
      { word: 'Kabul', heard_as: [] },
    ])
  })

  test('leaves out spellings that are the word itself', () => {
    expect(read([{ word: 'Kabul', heard_as: ['Kabul', 'Cabul'] }])).toEqual([{ word: 'Kabul', heard_as: ['Cabul'] }])
  })

  test('of 500 words may repeat some', () => {
    const words = Array.from({ length: 600 }, (_, index) => ({ word: `Name ${index % 500}` }))
    expect(read(words)).toHaveLength(500)
  })

  test('that gives a word a ninth spelling by another entry is refused, and names the word by its place', () => {
    const words = [{ word: 'Kabul' }, { word: 'a', heard_as: [...'bcdefghi'] }, { word: 'a', heard_as: ['j'] }]
    expect(NewWordList.safeParse({ revision: 0, words }).error?.issues).toMatchObject([
      { path: ['words', 1, 'heard_as'], message: 'A word has at most 8 other spellings' },
    ])
  })
})

test.each([
  ['line breaks and control characters are blanks', 'Spin\n\u0000Boldak', 'Spin Boldak'],
  ['bidi controls are left out', '\u200F\u202Bکابل\u202C \u2067\u200E\u061C', 'کابل'],
  ['Persian joiners stay', 'امیر\u200Cحسین', 'امیر\u200Cحسین'],
])('in a word %s', (_, text, word) => {
  expect(ListedWord.parse({ word: text, heard_as: [`x${text}`] })).toEqual({ word, heard_as: [`x${word}`] })
})

test('pasted lines are words with other spellings after an equals sign', () => {
  expect(parseWordLines('Qandahar = Kandahar, Candahar\r\n\n  کندهار=قندهار، کنډهار \nKabul')).toEqual([
    { word: 'Qandahar', heard_as: ['Kandahar', 'Candahar'] },
    { word: 'کندهار', heard_as: ['قندهار', 'کنډهار'] },
    { word: 'Kabul', heard_as: [] },
  ])
})

test('pasted lines have no bidi controls, and a line of nothing else is empty', () => {
  expect(parseWordLines('\u200Fکابل\u200F = \u2067کابول\u2069\n\u200E\n')).toEqual([
    { word: 'کابل', heard_as: ['کابول'] },
  ])
})
