import { expect, test } from 'vitest'
import { findTranslatedProse } from './plain-english.ts'

const inCode = (text: string) => findTranslatedProse([{ path: 'server/a.ts', text }])
const inPage = (text: string) => findTranslatedProse([{ path: 'docs/a.md', text }])

test.each([
  ['by the name alone', '"alone": write only'],
  ['begins anew', '"anew"'],
  ['whoever asks', '"whoever"'],
  ['after so many days', '"so many days"'],
  ['nobody could be asked', '"nobody could be"'],
  ['has a folder of its own', '"of its own"'],
  ['as it was when it was stored', '"as it was when"'],
])('a comment and a page that say %j are found', (words, found) => {
  expect(inCode(`const a = 1\n// It ${words}.`)).toEqual([expect.stringContaining(`server/a.ts:2 says ${found}`)])
  expect(inCode(`/**\n * It ${words}.\n */`)).toHaveLength(1)
  expect(inCode(`const a = 1 // it ${words}`)).toHaveLength(1)
  expect(inPage(`# A page\n\nIt ${words}.`)).toEqual([expect.stringContaining(`docs/a.md:3 says ${found}`)])
})

test.each(['leaves them alone', 'leave it alone', 'not so many calls', 'so many that it fails', 'its own folder'])(
  'a comment may say %j',
  (words) => {
    expect(inCode(`// It ${words}.`)).toEqual([])
  },
)

test('strings of code, code in pages and quotations are not prose', () => {
  expect(inCode("const message = 'whoever asks alone'\nconst url = 'http://alone'")).toEqual([])
  expect(inPage('It says "by the name alone", and `anew`.\n\n    whoever\n\n```\nalone\n```\n')).toEqual([])
})
