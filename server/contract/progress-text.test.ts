import { describe, expect, test } from 'vitest'
import { applyChanges, joinLines, noText, textOf, withText } from './progress-text.ts'

const one = { start: 0, end: 1, text: 'one', speaker: 'Speaker A' }
const two = { start: 1, end: 2, text: 'two', speaker: 'Speaker B' }
const transcribing = {
  current_segment: 1,
  total_segments: 2,
  detected_language: 'ps',
  language_probability: 0.5,
  latest_segment: two,
}
const translating = { current_segment: 1, total_segments: 2, latest_segment: null }

describe('the text of a progress', () => {
  test('is its lines, or the whole where it has none', () => {
    const progress = { ...transcribing, partial_text: 'one\ntwo', partial_segments: [one, two] }
    expect(textOf(progress)).toEqual({ lines: [one, two], text: '' })
    expect(textOf({ ...progress, partial_segments: [] })).toEqual({ lines: [], text: 'one\ntwo' })
    expect(textOf({ ...translating, partial_text: 'eins' })).toEqual({ lines: [], text: 'eins' })
  })

  test('is put together again', () => {
    expect(withText(transcribing, { lines: [one, two], text: '' })).toEqual({
      ...transcribing,
      partial_text: 'one\ntwo',
      partial_segments: [one, two],
    })
    expect(withText(transcribing, { lines: [], text: 'old' })).toMatchObject({
      partial_text: 'old',
      partial_segments: [],
    })
    expect(withText(translating, { lines: [], text: 'eins' })).toEqual({ ...translating, partial_text: 'eins' })
  })
})

describe('changes', () => {
  test('add, replace and remove lines, and leave the text before as it was', () => {
    const before = { lines: [one], text: '' }
    expect(applyChanges(before, [{ at: 1, removed: 0, lines: [two] }]).lines).toEqual([one, two])
    expect(applyChanges(before, [{ at: 0, removed: 1, lines: [two] }]).lines).toEqual([two])
    expect(applyChanges(before, [{ at: 0, removed: 1, lines: [] }])).toEqual(noText)
    expect(before.lines).toEqual([one])
  })

  test('add, replace and remove characters, one change after the other', () => {
    const changes = [
      { at: 0, removed: 0, text: 'one three' },
      { at: 4, removed: 5, text: 'two' },
      { at: 7, removed: 0, text: '!' },
    ]
    expect(applyChanges(noText, changes).text).toBe('one two!')
  })
})

test('lines are running text; another speaker or channel begins a new line', () => {
  const third = { text: 'three', speaker: 'Speaker B', channel: 0 }
  expect(joinLines([one, one, two, third])).toBe('one one\ntwo three')
  expect(
    joinLines([
      { text: 'a', channel: 0 },
      { text: 'b', channel: 0 },
      { text: 'c', channel: 1 },
    ]),
  ).toBe('a b\nc')
  expect(joinLines([{ text: 'a' }, { text: 'b' }])).toBe('a b')
  expect(joinLines([])).toBe('')
})
