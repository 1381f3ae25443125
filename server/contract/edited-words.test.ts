import { describe, expect, test } from 'vitest'
import { editableSegments } from './line-edits.ts'
import { a, call, edited, line, withoutWords } from './testing/edited-call.ts'
import type { Segment } from './transcription.ts'

/** Returns the words of the only line after its text was corrected. */
function wordsAfter(segment: Segment, text: string) {
  const { start, end } = segment
  const [only] = editableSegments(call([segment]), edited({ from: [0], lines: [{ start, end, text }] }))
  return only?.words
}

const four = line(10, 'one two three four')

describe('the words of a corrected line', () => {
  test('that stayed keep their times; the others take the time between', () => {
    expect(wordsAfter(four, 'one too many three four')).toEqual([
      { text: 'one', start: 10, end: 10.4 },
      { text: 'too', start: 10.4, end: 10.657 },
      { text: 'many', start: 10.657, end: 11 },
      { text: 'three', start: 11, end: 11.4 },
      { text: 'four', start: 11.5, end: 11.9 },
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
    expect(words?.map(({ start }) => start)).toEqual([0, 0.2, 0.2, 0.5])
  })

  test('are found again where the same letters are composed in another way', () => {
    expect(wordsAfter(line(0, 'un cafe\u0301 au lait'), 'deux caf\u00e9 au thé')?.[1]).toMatchObject({
      start: 0.5,
      end: 0.9,
    })
  })

  test('are no longer uncertain once a person changed the text; a split or a join says nothing of them', () => {
    expect(wordsAfter(four, 'one too three four')?.flatMap(({ confidence }) => confidence ?? [])).toEqual([])
    const halves = (text: string) => [
      { start: 10, end: 11, text },
      { start: 11, end: 12, text: 'three four' },
    ]
    const confidencesOf = (text: string) =>
      editableSegments(call([four]), edited({ from: [0], lines: halves(text) })).map(({ confidence }) => confidence)
    expect(confidencesOf('one two')).toEqual([0.5, 0.5])
    expect(confidencesOf('one too')).toEqual([undefined, 0.5])
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
