import { describe, expect, test } from 'vitest'
import { editableSegments } from './line-edits.ts'
import { a, call, edited, line, withoutWords } from './testing/edited-call.ts'
import type { Segment } from './transcription.ts'

/** Returns what the words of the only line are after its text was corrected. */
function wordsAfter(segment: Segment, text: string) {
  const { start, end } = segment
  const [only] = editableSegments(call([segment]), edited({ from: [0], lines: [{ start, end, text }] }))
  return only?.words
}

const four = line(10, 'one two three four')

describe('the words of a corrected line', () => {
  test('that stayed keep their times and confidence; the others take the time between', () => {
    expect(wordsAfter(four, 'one too many three four')).toEqual([
      { text: 'one', start: 10, end: 10.4, confidence: 0.5 },
      { text: 'too', start: 10.4, end: 10.657 },
      { text: 'many', start: 10.657, end: 11 },
      { text: 'three', start: 11, end: 11.4, confidence: 0.5 },
      { text: 'four', start: 11.5, end: 11.9, confidence: 0.5 },
    ])
  })

  test('that were left out or moved do not shift the others', () => {
    expect(wordsAfter(four, 'two four')?.map(({ start }) => start)).toEqual([10.5, 11.5])
    expect(wordsAfter(four, 'four one two three')?.map(({ start }) => start)).toEqual([10, 10, 10.5, 11])
  })

  test('are together the text but for its blanks, in scripts without blanks too', () => {
    const chinese = line(0, '你好 吗')
    const words = wordsAfter(chinese, '你们好吗')
    expect(words?.map(({ text }) => text)).toEqual(['你', '们', '好', '吗'])
    expect(words?.map(({ confidence }) => confidence)).toEqual([0.5, undefined, 0.5, 0.5])
  })

  test('are found again where the same letters are composed in another way', () => {
    expect(wordsAfter(line(0, 'cafe\u0301 au lait'), 'caf\u00e9 au thé')?.[0]).toMatchObject({ confidence: 0.5 })
  })

  test('are missing where the engine wrote none', () => {
    const [only] = editableSegments(
      call([withoutWords(four)]),
      edited({ from: [0], lines: [{ start: 10, end: 12, text: 'one two' }] }),
    )
    expect(only).toEqual({ start: 10, end: 12, text: 'one two', speaker: a, channel: 0, from: [0], isEdited: true })
  })

  test('of a long text are placed one by one', () => {
    const long = line(0, Array.from({ length: 2_000 }, (_, index) => `w${index % 50}`).join(' '))
    const words = wordsAfter(long, Array.from({ length: 2_400 }, (_, index) => `w${index % 70}`).join(' '))
    expect(words).toHaveLength(2_400)
  })

  test('are found quickly where every line of a long transcript was joined and written anew', () => {
    const spoken = Array.from({ length: 2_000 }, (_, at) => `word${at} is not there now and nor is this one`)
    const written = spoken.map((text, at) => line(at * 2, text))
    const anew = Array.from({ length: 100 }, (_, word) => `other${word % 50}`).join(' ')
    const changes = Array.from({ length: 20 }, (_, at) => ({
      from: Array.from({ length: 100 }, (__, index) => at * 100 + index),
      lines: Array.from({ length: 10 }, (__, index) => ({
        start: at * 200 + index,
        end: at * 200 + index + 1,
        text: anew,
      })),
    }))
    const begin = performance.now()
    expect(editableSegments(call(written), edited(...changes))).toHaveLength(200)
    expect(performance.now() - begin).toBeLessThan(5_000)
  })
})
