import { describe, expect, it } from 'vitest'
import type { Segment } from '#contract/transcription.ts'
import { alignVersions, textOf } from './align-versions.ts'

const line = (start: number, end: number, text: string, speaker = 'Speaker A', channel = 0): Segment => ({
  start,
  end,
  text,
  speaker,
  channel,
})
const shown = (a: Segment[], b: Segment[]) =>
  alignVersions(a, b).map((row) => [textOf(row.a), textOf(row.b), row.isDifferent])

describe('the lines of two versions', () => {
  it('are beside one another where they say the same passage', () => {
    expect(shown([line(0, 2, 'one'), line(3, 5, 'two')], [line(0.2, 2.1, 'one'), line(3, 5.2, 'too')])).toEqual([
      ['one', 'one', false],
      ['two', 'too', true],
    ])
  })

  it('are together where a version split or joined them', () => {
    const whole = [line(0, 6, 'one two three')]
    const parts = [line(0, 2, 'one'), line(2, 4, 'two'), line(4, 6, 'three')]
    expect(shown(whole, parts)).toEqual([['one two three', 'one two three', false]])
    expect(shown(parts, whole)).toEqual([['one two three', 'one two three', false]])
  })

  it('are alone where the other version has nothing', () => {
    expect(shown([line(0, 2, 'one')], [line(8, 9, 'late')])).toEqual([
      ['one', '', true],
      ['', 'late', true],
    ])
    expect(shown([], [line(8, 9, 'late')])).toEqual([['', 'late', true]])
  })

  it('of two channels stay apart however they overlap', () => {
    const b = line(0, 4, 'right', 'Speaker B', 1)
    expect(shown([line(0, 4, 'left'), b], [b, line(0.5, 4, 'left')])).toEqual([
      ['left', 'left', false],
      ['right', 'right', false],
    ])
  })

  it('of voices that talk at once are told apart by speaker, and another speaker is a difference', () => {
    const mono = (start: number, end: number, text: string, speaker: string): Segment => ({ start, end, text, speaker })
    const a = [mono(0, 4, 'x', 'Speaker A'), mono(1, 4, 'y', 'Speaker B')]
    expect(shown(a, [mono(0, 4, 'x', 'Speaker A'), mono(0.5, 4, 'y', 'Speaker B')])).toEqual([
      ['x', 'x', false],
      ['y', 'y', false],
    ])
    expect(shown([mono(0, 4, 'x', 'Speaker A')], [mono(0, 4, 'x', 'Speaker B')])).toEqual([['x', 'x', true]])
  })

  it('are all there once, in a call of an hour', () => {
    const call = (seed: number) =>
      Array.from({ length: 1500 }, (_, index) =>
        line(
          index * 2.4 + ((index * seed) % 0.7),
          index * 2.4 + 3,
          `${index}`,
          index % 2 ? 'Speaker B' : 'Speaker A',
          index % 2,
        ),
      )
    const [a, b] = [call(0.3), call(0.5)]
    const rows = alignVersions(a, b)
    expect(rows.flatMap((row) => row.a)).toHaveLength(1500)
    expect(rows.flatMap((row) => row.b)).toHaveLength(1500)
    expect(rows.filter(({ isDifferent }) => isDifferent)).toEqual([])
  })
})
