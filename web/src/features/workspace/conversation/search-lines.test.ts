import { expect, test } from 'vitest'
import { makeSegment, makeTranscript } from '../../../testing/transcripts.ts'
import { makeTranslation } from '../../../testing/translations.ts'
import { buildLines } from '../state/build-lines.ts'
import { groupMatches } from './line-matches.ts'
import { createLineSearch, type LineField } from './search-lines.ts'

const both: LineField[] = ['original', 'translation']

function makeLines(texts: { text: string; translated?: string }[]) {
  const segments = texts.map(({ text }, index) => makeSegment(text, { start: index, end: index + 1 }))
  const transcription = makeTranscript(segments)
  const translated = texts.flatMap(({ translated }, index) => {
    const segment = segments[index]
    return translated === undefined || !segment ? [] : [{ ...segment, translated_text: translated }]
  })
  return buildLines({
    segments: segments.map((segment, index) => ({ ...segment, from: [index] })),
    transcription,
    translation: makeTranslation(translated),
    find: () => [],
    partial: [],
  })
}

/** Returns the matches, exactly as written in the texts. */
function found(texts: Parameters<typeof makeLines>[0], query: string, fields = both) {
  const lines = makeLines(texts)
  return createLineSearch()
    .find(lines, query, { fieldsOf: () => fields, hasSpellings: true })
    .map(({ lineId, field, start, end }) => {
      const line = lines.find(({ id }) => id === lineId)
      const text = field === 'original' ? line?.segment?.text : line?.translated?.translated_text
      return text?.slice(start, end)
    })
}

test('a text is found in both texts, in order, each time it occurs', () => {
  const lines = [{ text: 'money, Money', translated: 'the money' }, { text: 'none' }, { text: 'no MONEY' }]
  expect(found(lines, 'money')).toEqual(['money', 'Money', 'money', 'MONEY'])
})

test('only the texts that are shown are searched', () => {
  expect(found([{ text: 'money', translated: 'the money' }], 'money', ['translation'])).toEqual(['money'])
})

test.each([
  { query: 'پیسي', text: 'پيسې راوړه', result: 'پيسې' },
  { query: 'كور', text: 'کور ته', result: 'کور' },
  { query: 'محمد', text: 'مُحَمَّد راغی', result: 'مُحَمَّد' },
  { query: 'lubeck', text: 'in Lübeck', result: 'Lübeck' },
  { query: '  two   words ', text: 'the two words', result: 'two words' },
])('$query finds $result', ({ query, text, result }) => {
  expect(found([{ text }], query)).toEqual([result])
})

test('nothing is found for blanks, nor in the text of a translation that failed', () => {
  expect(found([{ text: 'a b' }], '  ')).toEqual([])
  const [line] = makeLines([{ text: 'money', translated: 'money' }])
  if (!line?.translated) throw new Error('There is a translation')
  const failed = { ...line, translated: { ...line.translated, error: 'It failed.' } }
  expect(createLineSearch().find([failed], 'money', { fieldsOf: () => ['translation'], hasSpellings: true })).toEqual(
    [],
  )
})

test('a name is found in other spellings too, which are told apart', () => {
  const lines = makeLines([
    { text: 'قندهار ته', translated: 'to Kandahar' },
    { text: 'احمد شاه', translated: 'no name' },
  ])
  const find = (query: string, hasSpellings = true) =>
    createLineSearch()
      .find(lines, query, { fieldsOf: () => both, hasSpellings })
      .map(({ field, start, end, isSpelled }) => [field, start, end, isSpelled])
  expect(find('Kandahar')).toEqual([
    ['original', 0, 6, true],
    ['translation', 3, 11, undefined],
  ])
  expect(find('Kandahar', false)).toEqual([['translation', 3, 11, undefined]])
  expect(find('احمدشاه')).toEqual([['original', 0, 8, true]])
})

test('matches are grouped by line and text, with the current one among them', () => {
  const match = { lineId: 'a', field: 'original' as const, start: 0, end: 1 }
  const matches = [match, { ...match, start: 4, end: 5 }, { ...match, field: 'translation' as const }]
  expect(groupMatches(matches, 1).get('a')).toEqual({
    original: {
      ranges: [
        { start: 0, end: 1 },
        { start: 4, end: 5 },
      ],
      current: 1,
    },
    translation: { ranges: [{ start: 0, end: 1 }], current: null },
  })
})
