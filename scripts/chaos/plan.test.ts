import { expect, test } from 'vitest'
import { defaultSeed, faultKinds, planRounds } from './plan.ts'

const kindsOf = (seed: number, rounds: number) => planRounds({ rounds, seed }).map(({ kind }) => kind)

test('the same seed plans the same rounds, another seed others', () => {
  expect(kindsOf(7, 40)).toEqual(kindsOf(7, 40))
  expect(kindsOf(8, 40)).not.toEqual(kindsOf(7, 40))
})

test('the details of a round are the same in every run of a seed', () => {
  const drawn = () => planRounds({ rounds: 5, seed: 3 }).map(({ random }) => random())
  expect(drawn()).toEqual(drawn())
  expect(new Set(drawn()).size).toBe(5)
})

test('every kind occurs once before one occurs again', () => {
  const first = kindsOf(1, faultKinds.length)
  expect(first.toSorted()).toEqual([...faultKinds].toSorted())
})

test('only the requested kinds are planned', () => {
  const planned = planRounds({ rounds: 10, seed: 1, kinds: ['kill server', 'kill engine'] })
  expect(new Set(planned.map(({ kind }) => kind))).toEqual(new Set(['kill server', 'kill engine']))
})

test('a short run kills every kind of process and fills the disk', () => {
  const first = kindsOf(defaultSeed, 6).toSorted()
  const kills = ['kill database', 'kill engine', 'kill native child', 'kill server', 'kill supervisor']
  expect(first).toEqual(['fill disk', ...kills])
})
