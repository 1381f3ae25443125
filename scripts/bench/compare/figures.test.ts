import { describe, expect, test } from 'vitest'
import { compareRuns, readFigures } from './figures.ts'

describe('readFigures', () => {
  test('finds rates and times, and gives a line the same label whatever its numbers are', () => {
    const [first] = readFigures('profile: 812 requests/s, p50 11.20 ms, p99 30.00 ms')
    const figures = readFigures('profile: 95 requests/s, p50 9.00 ms, p99 31.10 ms')
    expect(figures.map(({ value, isRate }) => [value, isRate])).toEqual([
      [95, true],
      [9, false],
      [31.1, false],
    ])
    expect(figures[0]?.label).toBe(first?.label)
  })

  test('passes over numbers without a unit that compares', () => {
    expect(readFigures('ratio of medians 1.20 (at most 5), 200 calls')).toEqual([])
  })

  test('reads the columns of a table that are times or bytes', () => {
    const table = ['│ (index) │ path     │ requests │ scriptBytes │', '│ 0       │ "/login" │ 12       │ 5000        │']
    expect(readFigures(table.join('\n'))).toMatchObject([{ value: 5000, isRate: false }])
  })
})

describe('compareRuns', () => {
  const run = (perSecond: number, latencyMs: number) => readFigures(`${perSecond} requests/s, p50 ${latencyMs} ms`)

  test('is above 1 where the new code is slower, for rates and times alike', () => {
    const [rate, latency] = compareRuns([run(100, 10)], [run(50, 20)])
    expect(rate?.ratio).toBe(2)
    expect(latency?.ratio).toBe(2)
  })

  test('leaves out what is rounded to zero', () => {
    expect(compareRuns([run(100, 0)], [run(100, 1)]).map(({ label }) => label.includes('ms]'))).toEqual([false])
  })

  test('takes the spread of the old code as noise', () => {
    const [rate] = compareRuns([run(100, 10), run(80, 10)], [run(90, 10), run(90, 10)])
    expect(rate).toMatchObject({ before: 90, after: 90, ratio: 1, noise: 1.25 })
  })
})
