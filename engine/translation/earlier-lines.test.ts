import { describe, expect, test } from 'vitest'
import type { Segment } from '#contract/transcription.ts'
import type { TranslatedSegment } from '#contract/translation.ts'
import { makeTranslation } from '#testing/work.ts'
import { planRetry, type EarlierTranslation } from './earlier-lines.ts'

const [a, b] = ['Speaker A', 'Speaker B']

function translated(start: number, text: string, error: string | null = null): TranslatedSegment {
  return { start, end: start + 2, text, translated_text: error === null ? `${text} in English` : '', error }
}

const segments = [translated(0, 'one'), translated(2, 'two'), translated(4, 'three', 'failed'), translated(6, 'four')]
const result = makeTranslation({
  segments,
  speaker_translations: [{ speaker: a, translated_text: '', error: null, segments }],
})

type Line = [start: number, end: number, text: string, speaker?: string]

/** Returns the lines to translate (`+`), the kept ones (`=`) and the stale ones that stay (`~`). */
function plan(lines: Line[], options: Partial<EarlierTranslation>) {
  const earlier = { result, lines: [], includesFailed: false, includesChanged: false, ...options }
  const planned = planRetry(
    earlier,
    lines.map(([start, end, text, speaker = a]) => ({ segment: { start, end, text } satisfies Segment, speaker })),
  )
  return [
    ...planned.lines.map(({ segment, kept }) => `${kept ? '=' : '+'} ${kept?.translatedText ?? segment.text}`),
    ...planned.stale.map(({ segment, speaker }) => `~ ${segment.text} of ${speaker}`),
  ]
}

const corrected: Line[] = [
  [0, 2, 'won'],
  [2, 4, 'two'],
  [4, 6, 'three'],
  [6, 8, 'fore'],
]

describe('of an edited transcript', () => {
  test('the lines that were changed are translated, and the others kept, failed ones too', () => {
    expect(plan(corrected, { includesChanged: true })).toEqual(['+ won', '= two in English', '= ', '+ fore'])
  })

  test('one line alone is translated, and the others stay, even the stale ones', () => {
    expect(plan(corrected, { lines: [{ start: 0, end: 2 }] })).toEqual([
      '+ won',
      '= two in English',
      '= ',
      '~ four of Speaker A',
    ])
  })

  test('what failed is translated without what was changed', () => {
    expect(plan(corrected, { includesFailed: true })).toEqual([
      '= two in English',
      '+ three',
      '~ one of Speaker A',
      '~ four of Speaker A',
    ])
  })

  test('the translation of a split line stays until both parts are translated', () => {
    const parts: Line[] = [
      [0, 1, 'o'],
      [1, 2, 'ne'],
    ]
    expect(plan(parts, { lines: [{ start: 0, end: 1 }] })).toEqual(['+ o', '~ one of Speaker A'])
    expect(
      plan(parts, {
        lines: [
          { start: 0, end: 1 },
          { start: 1, end: 2 },
        ],
      }),
    ).toEqual(['+ o', '+ ne'])
  })

  test('those of joined lines stay until the whole is translated', () => {
    const whole: Line[] = [[0, 4, 'one two']]
    expect(plan(whole, {})).toEqual(['~ one of Speaker A', '~ two of Speaker A'])
    expect(plan(whole, { lines: [{ start: 0, end: 4 }] })).toEqual(['+ one two'])
  })

  test('a line that another speaker said keeps its translation', () => {
    expect(plan([[0, 2, 'one', b]], { includesChanged: true })).toEqual(['= one in English'])
  })
})

test('of two lines with the same times, the one that failed or was changed is meant, and both where neither was', () => {
  const lines = [{ start: 2, end: 4 }]
  expect(
    plan(
      [
        [2, 4, 'two'],
        [2, 4, 'new', b],
      ],
      { lines },
    ),
  ).toEqual(['= two in English', '+ new'])
  expect(
    plan(
      [
        [2, 4, 'two'],
        [2, 4, 'two', b],
      ],
      { lines },
    ),
  ).toEqual(['+ two', '+ two'])
})
