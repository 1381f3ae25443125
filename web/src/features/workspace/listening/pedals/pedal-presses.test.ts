import { expect, it } from 'vitest'
import { comparePedalReports } from './pedal-presses.ts'

const report = (...bytes: number[]) => new DataView(new Uint8Array(bytes).buffer)

it.each([
  ['the left one goes down', report(0b001, 0), undefined, { down: [1], up: [] }],
  ['the right one too', report(0b101, 0), report(0b001, 0), { down: [3], up: [] }],
  ['one comes up as another goes down', report(0b010, 0), report(0b100, 0), { down: [2], up: [3] }],
  ['a switch of the second byte', report(0, 1), report(0, 0), { down: [9], up: [] }],
  ['nothing changes', report(0b010, 0), report(0b010, 0), { down: [], up: [] }],
  ['a shorter report before', report(0, 1), report(0), { down: [9], up: [] }],
])('%s', (_, now, former, presses) => {
  expect(comparePedalReports(now, former)).toEqual(presses)
})
