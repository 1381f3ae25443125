import { expect, test } from 'vitest'
import { planFaults } from './faults.ts'

test('each process is killed once, then the chosen server, and each server is restarted, evenly over the time', () => {
  const faults = planFaults(['database', 'server1', 'server2', 'engine1', 'proxy'], 80_000)
  expect(faults.map(({ kind, target }) => `${kind} ${target}`)).toEqual([
    'kill database',
    'kill server1',
    'kill server2',
    'kill engine1',
    'kill proxy',
    'kill chosen server',
    'restart server1',
    'restart server2',
  ])
  expect(faults.map(({ atMs }) => atMs)).toEqual([5_000, 15_000, 25_000, 35_000, 45_000, 55_000, 65_000, 75_000])
})
