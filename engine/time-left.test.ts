import { expect, test } from 'vitest'
import { createTimeLeft, type WorkUnit } from './time-left.ts'

interface TimedUnit extends WorkUnit {
  ms: number
  setupMs?: number
}

/** Returns how far off the estimate is when a share of the units is done: 1.1 is 10% too high. */
function errorAt(share: number, units: TimedUnit[]): number {
  let nowMs = 0
  const timeLeft = createTimeLeft(units, () => nowMs)
  const doneCount = Math.round(units.length * share)
  for (const unit of units.slice(0, doneCount)) {
    const { ms, setupMs = 0 } = unit
    nowMs += ms + setupMs
    timeLeft.finish(unit, { setupMs })
  }
  const leftMs = units.slice(doneCount).reduce((sum, { ms, setupMs = 0 }) => sum + ms + setupMs, 0)
  return ((timeLeft.seconds() ?? 0) * 1000) / leftMs
}

/** Returns patternless numbers from 0 to 1. */
const noise = (index: number) => Math.abs(Math.sin(index * 12.9898) * 43758.5453) % 1

function makeUnits(count: number, toUnit: (index: number, share: number) => Partial<TimedUnit>): TimedUnit[] {
  return Array.from({ length: count }, (_, index) => {
    return { group: 'model', weight: 1, ms: 100, ...toUnit(index, index / count) }
  })
}

const curves: [name: string, units: TimedUnit[]][] = [
  ['units of one pace', makeUnits(40, () => ({}))],
  ['units that vary by chance', makeUnits(700, (index) => ({ ms: 40 + 120 * noise(index) }))],
  ['few units that vary by chance', makeUnits(20, (index) => ({ ms: 70 + 60 * noise(index) }))],
  [
    'short units first, long ones later',
    makeUnits(300, (_, share) => ({ weight: share < 0.5 ? 1 : 4, ms: share < 0.5 ? 100 : 400 })),
  ],
  [
    'a model that is loaded first, for as long as half of the units take',
    makeUnits(60, (index) => ({ setupMs: index === 0 ? 3000 : 0 })),
  ],
  [
    'two models of different speed in turns, each loaded again for its turn',
    makeUnits(240, (index) => {
      const turn = Math.floor(index / 20)
      const isSlow = turn % 2 === 1
      return { group: isSlow ? 'slow' : 'fast', ms: isSlow ? 500 : 80, setupMs: index % 20 === 0 ? 2000 : 0 }
    }),
  ],
  [
    'the slow one of two models second, after half of its turns',
    makeUnits(200, (index) => {
      const isSlow = index % 50 >= 40
      return { group: isSlow ? 'slow' : 'fast', ms: isSlow ? 900 : 60 }
    }),
  ],
  [
    'another job that takes half of the machine from a third on',
    makeUnits(600, (index, share) => ({ ms: (share < 0.3 ? 80 : 160) * (0.7 + 0.6 * noise(index)) })),
  ],
  [
    'another job that ends after a quarter',
    makeUnits(600, (index, share) => ({ ms: (share < 0.25 ? 220 : 100) * (0.7 + 0.6 * noise(index)) })),
  ],
  [
    'units that take longer and longer',
    makeUnits(600, (index, share) => ({ ms: (60 + 60 * share) * (0.7 + 0.6 * noise(index)) })),
  ],
]

test.each(curves.map(([name, units]) => ({ name, units })))(
  'the estimate at 45% is within 25% of the truth: $name',
  ({ units }) => {
    const error = errorAt(0.45, units)
    expect(error).toBeGreaterThan(0.75)
    expect(error).toBeLessThan(1.25)
  },
)

test('there is no estimate before the first unit is done, and none is left after the last', () => {
  let nowMs = 0
  const units = makeUnits(2, () => ({}))
  const timeLeft = createTimeLeft(units, () => nowMs)
  expect(timeLeft.seconds()).toBeNull()
  for (const unit of units) {
    nowMs += 100
    timeLeft.finish(unit)
  }
  expect(timeLeft.seconds()).toBe(0)
})

test('the estimate falls while a unit is in work, and never below zero', () => {
  let nowMs = 0
  const units = makeUnits(3, () => ({}))
  const timeLeft = createTimeLeft(units, () => nowMs)
  nowMs += 1000
  for (const unit of units.slice(0, 1)) timeLeft.finish(unit)
  expect(timeLeft.seconds()).toBe(2)
  nowMs += 500
  expect(timeLeft.seconds()).toBe(1.5)
  nowMs += 5000
  expect(timeLeft.seconds()).toBe(0)
})
