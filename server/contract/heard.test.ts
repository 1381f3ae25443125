import { describe, expect, it } from 'vitest'
import { addHeard, createHeardCheck, joinSpans } from './heard.ts'

describe('what was heard', () => {
  it('is joined where spans touch, overlap or almost touch', () => {
    expect(
      joinSpans([
        [2000, 3000],
        [0, 1000],
        [1000, 1500],
        [1550, 1800],
        [2500, 2600],
      ]),
    ).toEqual([
      [0, 1800],
      [2000, 3000],
    ])
  })

  it('is added for each channel by itself, in whichever order it arrives', () => {
    const [a, b] = [[[[0, 500]]], [[[400, 900]], [[0, 100]]]] as [[number, number][][], [number, number][][]]
    expect(addHeard(a, b)).toEqual([[[0, 900]], [[0, 100]]])
    expect(addHeard(b, a)).toEqual(addHeard(a, b))
    expect(addHeard(addHeard(a, b), b)).toEqual(addHeard(a, b))
  })
})

describe('a line', () => {
  const heard = createHeardCheck([
    [
      [0, 900],
      [5000, 9000],
    ],
    [[20_000, 21_000]],
  ])

  it.each([
    ['of which nine tenths were heard', { start: 0, end: 1, channel: 0 }, true],
    ['of which less was heard', { start: 0, end: 1.1, channel: 0 }, false],
    ['in the middle of a span', { start: 6, end: 7, channel: 0 }, true],
    ['of another channel', { start: 6, end: 7, channel: 1 }, false],
    ['of a channel that was never heard', { start: 6, end: 7, channel: 2 }, false],
    ['without a channel', { start: 20, end: 21 }, true],
    ['without length', { start: 6, end: 6, channel: 0 }, false],
  ])('%s', (_name, line, expected) => {
    expect(heard(line)).toBe(expected)
  })
})
