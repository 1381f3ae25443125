import { expect, test } from 'vitest'
import { matchTranslations } from './match-translation.ts'
import type { TranslatedSegment } from './translation.ts'

const [a, b] = ['Speaker A', 'Speaker B']

function translated(start: number, end: number, text: string): TranslatedSegment {
  return { start, end, text, translated_text: `${text} in English`, error: null }
}

const segments = [translated(0, 2, 'one'), translated(2, 4, 'two'), translated(2, 4, 'three')]
const translation = {
  segments,
  speaker_translations: [a, b].map((speaker, index) => ({
    speaker,
    translated_text: '',
    error: null,
    segments: index === 0 ? segments.slice(0, 2) : segments.slice(2),
  })),
}

/** Returns the translation of each line, stale ones with a question mark. */
function match(lines: [start: number, end: number, text: string, speaker?: string][], made = translation) {
  const matches = matchTranslations(
    lines.map(([start, end, text, speaker]) => ({ start, end, text, speaker })),
    made,
  )
  return matches.map((found) => found && `${found.translated.translated_text}${found.isStale ? '?' : ''}`)
}

test('a line has the translation of its own text, whoever says it', () => {
  expect(
    match([
      [0, 2, 'one', b],
      [2, 4, 'three', b],
      [2, 4, 'two'],
    ]),
  ).toEqual(['one in English', 'three in English', 'two in English'])
})

test('a corrected line has the translation of its earlier text, as stale', () => {
  expect(match([[0, 2, 'won', a]])).toEqual(['one in English?'])
  expect(match([[2, 4, 'too', a]])).toEqual(['two in English?'])
  expect(match([[2, 4, 'tree', b]])).toEqual(['three in English?'])
})

test('the parts of a split line have that of the whole, and a joined line those of its parts', () => {
  expect(
    match([
      [0, 1, 'o', a],
      [1, 2, 'ne', a],
    ]),
  ).toEqual(['one in English?', 'one in English?'])
  expect(match([[0, 4, 'one two', a]])).toEqual(['one in English two in English?'])
})

test('a joined line has the times and texts of all its parts, and an error only where each of them failed', () => {
  const joined = (made: TranslatedSegment[]) =>
    matchTranslations([{ start: 0, end: 4, text: 'one two' }], { segments: made, speaker_translations: [] })[0]
  expect(joined([translated(0, 2, 'one'), translated(2, 4, 'two')])?.translated).toEqual({
    start: 0,
    end: 4,
    text: 'one two',
    translated_text: 'one in English two in English',
    error: null,
  })
  const failed = (start: number, end: number, text: string): TranslatedSegment => ({
    ...translated(start, end, text),
    translated_text: '',
    error: 'too_long',
  })
  expect(joined([failed(0, 2, 'one'), translated(2, 4, 'two')])?.translated).toMatchObject({
    translated_text: 'two in English',
    error: null,
  })
  expect(joined([failed(0, 2, 'one'), failed(2, 4, 'two')])?.translated.error).toBe('too_long')
})

test('a translation of another line is never taken, nor one of another time', () => {
  expect(
    match([
      [2, 4, 'two', a],
      [2.5, 4, 'new', a],
      [9, 10, 'one', a],
    ]),
  ).toEqual(['two in English', 'three in English?', null])
})

test('without a translation, or with one of the text as a whole, lines have none', () => {
  expect(matchTranslations([{ start: 0, end: 2, text: 'one' }], null)).toEqual([null])
  expect(match([[0, 2, 'one', a]], { segments: [], speaker_translations: [] })).toEqual([null])
})

test('a line that begins where it ends has its translation too', () => {
  const made = { segments: [translated(1, 1, 'one')], speaker_translations: [] }
  expect(match([[1, 1, 'won']], made)).toEqual(['one in English?'])
})
