import { expect, test } from 'vitest'
import { createLedger } from '../chaos/ledger.ts'
import type { InjectedFault } from './faults.ts'
import { evaluateRun, type HostsRun } from './report.ts'

const kill: InjectedFault = { kind: 'kill', target: 'server1', fromMs: 1_000, toMs: 5_000 }
const restart: InjectedFault = { kind: 'restart', target: 'server2', fromMs: 8_000, toMs: 9_000 }

function run(changes: Partial<HostsRun> = {}): HostsRun {
  return { ledger: createLedger(), observations: [], faults: [kill, restart], sentences: [], ...changes }
}

function failed(startedAtMs: number, endedAtMs: number) {
  return { person: 1, what: 'POST /api/upload', startedAtMs, endedAtMs, status: 502 }
}

test('a run in which requests fail shortly during a kill passes, and its table says how many', () => {
  const { lines, isPassed } = evaluateRun(run({ observations: [failed(1_100, 1_200)] }))
  expect(isPassed).toBe(true)
  expect(lines[1]).toMatch(/^kill server1 +4\.0 s +1$/)
  expect(lines.at(-1)).toBe('nothing was lost or doubled')
})

test('a request that failed while a server was restarted fails the run', () => {
  const { lines, isPassed } = evaluateRun(run({ observations: [failed(8_100, 8_200)] }))
  expect(isPassed).toBe(false)
  expect(lines).toContain('requests that failed while server2 was restarted: 1 (POST /api/upload: 502 after 0.1 s)')
})

test('a request that failed for longer than 15 s fails the run', () => {
  const { lines, isPassed } = evaluateRun(run({ observations: [failed(0, 100), failed(15_000, 15_100)], faults: [] }))
  expect(isPassed).toBe(false)
  expect(lines).toContain('POST /api/upload of person 1 failed for 15.1 s')
})

test('what the ledger found, a job without a result and any other problem fail the run', () => {
  const ledger = createLedger()
  ledger.find('doubled', 1, 'a job ended twice')
  ledger.failures.set('engine_failed', 2)
  const { lines, isPassed } = evaluateRun(run({ ledger, sentences: ['engine1 ended'] }))
  expect(isPassed).toBe(false)
  expect(lines).toEqual(
    expect.arrayContaining([
      'doubled: a job ended twice',
      '2 jobs ended without a result: engine_failed',
      'engine1 ended',
      'problems: 3',
    ]),
  )
})
