import { describe, expect, test } from 'vitest'
import { complaints, id, many, textOf } from '../testing/inputs.ts'
import { review } from './review.ts'

describe('heard spans', () => {
  const { body } = review.addHeard

  test.each([
    [{ channels: [[[0, 1]]] }, []],
    [{ channels: [[], many(1000, [0, 1])] }, []],
    [{ channels: [] }, ['Channels is too short']],
    [{ channels: many(9, []) }, ['Channels is too long']],
    [{ channels: [many(1001, [0, 1])] }, ['Channels is too long']],
    [{ channels: [[[-1, 1]]] }, ['Channels is too small']],
  ])('%#', (input, sentences) => {
    expect(complaints(body, input)).toEqual(sentences)
  })
})

describe('marked lines', () => {
  const { body, response } = review.markLines
  const line = { start: 0, end: 1, channel: 1, text: 'one' }

  test.each([
    [{ lines: many(1000, line), is_verified: true }, []],
    [{ lines: [line], doubt: null }, []],
    [{ lines: [], is_verified: true }, ['Lines is too short']],
    [{ lines: many(1001, line) }, ['Lines is too long']],
    [{ lines: [{ ...line, text: '' }] }, ['Text is too short']],
    [{ lines: [{ ...line, text: textOf(5001) }] }, ['Text is too long']],
    [{ lines: [{ ...line, start: -1 }] }, ['Start is too small']],
    [{ lines: [line], doubt: { is_uncertain: true, reason: textOf(201) } }, ['A reason has at most 200 characters']],
  ])('%#', (input, sentences) => {
    expect(complaints(body, input)).toEqual(sentences)
  })

  test('doubt needs no reason', () => {
    expect(body.parse({ lines: [line], doubt: { is_uncertain: true } }).doubt).toEqual({
      is_uncertain: true,
      reason: '',
    })
  })

  test('come back with the people who said it', () => {
    const by = { id, name: '' }
    const at = '2026-01-02T03:04:05.000Z'
    const marks = [{ ...line, verified: [{ by, at }], doubt: { is_uncertain: false, reason: '', by, at } }]
    expect(response.parse({ marks })).toEqual({ marks })
  })
})
