import { describe, expect, test } from 'vitest'
import { measureLines } from './line-figures.ts'
import type { Line, ReferenceUtterance } from './reference.ts'

type Channel = 0 | 1
const said = (channel: Channel, text: string, startMs: number, endMs: number): ReferenceUtterance => ({
  channel,
  text,
  startMs,
  endMs,
})
const makeLine = (channel: Channel, text: string, startMs: number, endMs: number): Line => ({
  channel,
  text,
  startMs,
  endMs,
})

const call = [
  said(0, 'where is the money', 1000, 3000),
  said(1, 'the money is at home', 3500, 5500),
  said(0, 'bring it to the school', 8000, 10_000),
]

const right = [
  makeLine(0, 'Where is the money?', 1050, 3000),
  makeLine(1, 'The money is at home.', 3500, 5400),
  makeLine(0, 'Bring it to the school.', 7900, 10_200),
]

const errorsMs = (edges: { errorMs: number }[]) => edges.map(({ errorMs }) => errorMs)

test('a right transcript has no faults but its times', () => {
  const figures = measureLines(right, call)
  expect(figures).toMatchObject({ lines: 3, words: 14, wordErrors: 0 })
  expect(errorsMs(figures.starts)).toEqual([50, -100, 0])
  expect(errorsMs(figures.ends)).toEqual([0, 200, -100])
  const { overPause, overLongPause, overTurn, outOfOrder, wrongSpeaker, inSilence } = figures
  expect([overPause, overLongPause, overTurn, outOfOrder, wrongSpeaker, inSilence].flat()).toEqual([])
})

describe('times', () => {
  test('a line that goes on with an utterance is compared with its end alone', () => {
    const lines = [makeLine(0, 'where is', 1000, 2000), makeLine(0, 'the money', 2000, 3100)]
    const figures = measureLines(lines, call.slice(0, 1))
    expect(errorsMs(figures.starts)).toEqual([0])
    expect(errorsMs(figures.ends)).toEqual([100])
  })

  test('a first word is of an utterance that was left out only if it is a word of it, not for resembling one', () => {
    const utterances = [said(0, 'عصر به خیر سلام', 271_722, 272_942), said(0, 'چه بهم ریختگی بیایید', 273_481, 276_000)]
    const startErrors = (text: string) =>
      errorsMs(measureLines([makeLine(0, text, 273_500, 276_000)], utterances).starts)
    expect(startErrors('شبه هم رختگی بیائیت')).toEqual([19])
    expect(startErrors('خیر هم رختگی بیائیت')).toEqual([1778])
  })

  test('a line of the right words ten seconds early is ten seconds wrong', () => {
    const figures = measureLines(
      [makeLine(0, 'where is the money', 1000, 3000)],
      [said(0, 'where is the money', 11_000, 13_000)],
    )
    expect(errorsMs(figures.starts)).toEqual([-10_000])
  })

  test('a line without the first words of its utterance begins nothing', () => {
    const figures = measureLines(
      [makeLine(0, 'the school', 9000, 10_000)],
      [said(0, 'bring it all to the school', 8000, 10_000)],
    )
    expect(figures.starts).toEqual([])
    expect(figures.wordErrors).toBe(4)
  })
})

describe('lines that hold too much', () => {
  const across = makeLine(0, 'where is the money bring it to the school', 1000, 10_000)

  test('a line across a pause and the turn of the other speaker', () => {
    const figures = measureLines([across], call)
    expect(figures.overPause).toEqual([across])
    expect(figures.overLongPause).toEqual([across])
    expect(figures.overTurn).toEqual([across])
  })

  test('a pause of a second is no long one', () => {
    const figures = measureLines(
      [across],
      [said(0, 'where is the money', 1000, 3000), said(0, 'bring it', 4000, 10_000)],
    )
    expect(figures.overPause).toEqual([across])
    expect(figures.overLongPause).toEqual([])
  })

  test('a line that ends late in a pause is not across it', () => {
    expect(measureLines([makeLine(0, 'where is the money', 1000, 7000)], call).overPause).toEqual([])
  })

  test('what the other says while this one speaks is no turn', () => {
    const figures = measureLines(
      [makeLine(0, 'where is the money', 1000, 5000)],
      [said(0, 'where is the money', 1000, 5000), said(1, 'yes', 2000, 2500)],
    )
    expect(figures.overTurn).toEqual([])
  })
})

describe('order', () => {
  const [first, second, third] = right
  const inOrder = (...lines: (Line | undefined)[]) => lines.flatMap((line) => line ?? [])

  test('a line that stands below one said later is out of order', () => {
    expect(measureLines(inOrder(second, first, third), call).outOfOrder).toHaveLength(1)
  })

  test('a line that stands too early is one line out of order, not all behind it', () => {
    const early = makeLine(1, 'Thank you my friend.', 900, 14_000)
    const utterances = [...call.filter(({ channel }) => channel === 0), said(1, 'thank you my friend', 12_000, 14_000)]
    expect(measureLines(inOrder(early, first, third), utterances).outOfOrder).toEqual([early])
  })
})

describe('words of the wrong speaker', () => {
  test('a line of what the other speaker says while this one is silent', () => {
    const figures = measureLines([...right, makeLine(0, 'the money sofa', 4000, 5000)], call)
    expect(figures.wrongSpeaker).toEqual(['the', 'money'])
    expect(figures.inSilence).toEqual(['the', 'money', 'sofa'])
  })

  test('the same words while this speaker speaks too are a mistake in hearing, not in the speaker', () => {
    const both = [said(0, 'bring it', 4000, 5000), said(1, 'the money is at home', 3500, 5500)]
    expect(measureLines([makeLine(0, 'the money', 4000, 5000)], both).wrongSpeaker).toEqual([])
  })

  test('words have times of their own where the engine gives them', () => {
    const words = [
      { text: 'Where', startMs: 1000, endMs: 1500 },
      { text: 'home', startMs: 4500, endMs: 5000 },
    ]
    const figures = measureLines([{ ...makeLine(0, 'Where home', 1000, 5000), words }], call.slice(0, 2))
    expect(figures.wrongSpeaker).toEqual(['home'])
  })
})
