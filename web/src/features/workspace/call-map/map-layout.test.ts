import { expect, test } from 'vitest'
import { columnHues, laneAt, layoutMap, listTicks, noHue, runsOf } from './map-layout.ts'

const lineFrom = (from: number, to: number, more: { lane?: number; hue?: number } = {}) => {
  return { from, to, lane: 0, hue: 0, ...more }
}

test.each([
  [96, 2],
  [64, 2],
  [96, 1],
])('a map of %i pixels with %i lanes fills its height below the row of marks', (height, laneCount) => {
  const { marks, lanes } = layoutMap(1000, height, laneCount)
  expect(lanes).toHaveLength(laneCount)
  expect(lanes[0]?.top).toBe(marks.height)
  const last = lanes.at(-1)
  expect((last?.top ?? 0) + (last?.height ?? 0)).toBeCloseTo(height)
  for (const lane of lanes) expect(lane.height).toBeGreaterThanOrEqual(22)
})

test('the lane at a height; none in the row of marks', () => {
  const layout = layoutMap(1000, 96, 2)
  expect([5, 30, 90].map((y) => laneAt(layout, y))).toEqual([undefined, 0, 1])
})

test('columns have the hue of the line of their lane; between lines is silence', () => {
  const lines = [lineFrom(0, 2), lineFrom(4, 6, { hue: 2 }), lineFrom(0, 10, { lane: 1 })]
  const hues = columnHues(lines, { lane: 0, window: { from: 0, to: 10 }, columns: 10, gap: 1 })
  expect([...hues]).toEqual([0, 0, noHue, noHue, 2, 2, noHue, noHue, noHue, noHue])
})

test('a line shorter than a column is still seen, and lines beyond the window are not', () => {
  const lines = [lineFrom(0, 1), lineFrom(52.2, 52.3), lineFrom(90, 99)]
  const hues = columnHues(lines, { lane: 0, window: { from: 50, to: 60 }, columns: 10, gap: 1 })
  expect(runsOf(hues).filter(({ value }) => value !== noHue)).toEqual([{ value: 0, start: 2, end: 3 }])
})

test('a wide line ends with a gap before the next one', () => {
  const hues = columnHues([lineFrom(0, 10), lineFrom(10, 20)], {
    lane: 0,
    window: { from: 0, to: 20 },
    columns: 40,
    gap: 2,
  })
  expect(runsOf(hues)).toEqual([
    { value: 0, start: 0, end: 18 },
    { value: noHue, start: 18, end: 20 },
    { value: 0, start: 20, end: 38 },
    { value: noHue, start: 38, end: 40 },
  ])
})

test('times below the map are round, apart, and not cut off at its end', () => {
  expect(listTicks({ from: 0, to: 3600 }, 400)).toEqual([0, 900, 1800, 2700])
  expect(listTicks({ from: 71, to: 91 }, 800)).toEqual([72, 74, 76, 78, 80, 82, 84, 86, 88, 90])
  expect(listTicks({ from: 0, to: 3600 }, 0)).toEqual([])
})
