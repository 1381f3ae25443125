import { beforeEach, expect, test } from 'vitest'
import { checkKeywords, checkName, createLedger, findUnended, type Ledger, type LedgerUpload } from './ledger.ts'

let ledger: Ledger
beforeEach(() => {
  ledger = createLedger()
})

const end = { state: 'done' as const, finishedAt: '2026-01-01T00:00:00.000Z', attempt: 1, errorCode: null }
const upload: LedgerUpload = {
  id: 'u1',
  person: 0,
  sha256: '',
  round: 2,
  name: 'new.mp3',
  state: 'kept',
  isVerified: false,
  isSpare: false,
}

function addJob() {
  ledger.addJob({ id: 'j1', person: 0, kind: 'transcribe', recordingId: 'u1', round: 3, acknowledgedAtMs: 1000 })
}

const findingKinds = () => ledger.findings.map(({ kind, round }) => `${kind} in ${round}`)

test('a job that is seen to end the same way several times ended once', () => {
  addJob()
  ledger.noteEnd('j1', end, 2000)
  ledger.noteEnd('j1', end, 3000)
  findUnended(ledger, { nowMs: 900_000, limitMs: 1000 })
  expect(ledger.findings).toEqual([])
})

test('a job with two ends is doubled', () => {
  addJob()
  ledger.noteEnd('j1', end, 2000)
  ledger.noteEnd('j1', { ...end, finishedAt: '2026-01-01T00:00:09.000Z' }, 3000)
  expect(findingKinds()).toEqual(['doubled in 3'])
})

test('a job that found the disk full, or was interrupted in each attempt, is counted by its reason', () => {
  addJob()
  ledger.noteEnd('j1', { ...end, state: 'failed', errorCode: 'disk_full' }, 2000)
  ledger.addJob({ id: 'j2', person: 0, kind: 'translate', recordingId: 'u1', round: 3, acknowledgedAtMs: 1000 })
  ledger.noteEnd('j2', { ...end, state: 'failed', errorCode: 'job_failed', attempt: 3 }, 2000)
  expect([...ledger.failures]).toEqual([
    ['disk_full', 1],
    ['job_failed', 1],
  ])
  expect(ledger.findings).toEqual([])
})

test('the result of a job that ends otherwise without one is lost', () => {
  addJob()
  ledger.noteEnd('j1', { ...end, state: 'failed', errorCode: 'unreadable_audio' }, 2000)
  expect(findingKinds()).toEqual(['lost in 3'])
})

test('a job that takes too long is unended, and reported once', () => {
  addJob()
  findUnended(ledger, { nowMs: 5000, limitMs: 10_000 })
  expect(ledger.findings).toEqual([])
  findUnended(ledger, { nowMs: 11_000, limitMs: 10_000 })
  findUnended(ledger, { nowMs: 12_000, limitMs: 10_000 })
  expect(findingKinds()).toEqual(['unended in 3'])
})

test('an acknowledged keyword must be there, a deleted one must not, an unacknowledged one may', () => {
  const base = { person: 0, id: 'k', round: 4 }
  const acknowledged = [
    { ...base, word: 'kept', state: 'kept' as const },
    { ...base, word: 'deleted', state: 'deleted' as const },
    { ...base, word: 'unknown', state: 'unknown' as const },
  ]
  checkKeywords(ledger, acknowledged, new Set(['kept', 'unknown']))
  checkKeywords(ledger, acknowledged, new Set(['kept']))
  expect(ledger.findings).toEqual([])
  checkKeywords(ledger, acknowledged, new Set(['deleted']))
  expect(findingKinds()).toEqual(['lost in 4', 'lost in 4'])
})

test('a recording has its acknowledged name, or one that was sent and not acknowledged', () => {
  checkName(ledger, upload, 'new.mp3')
  checkName(ledger, { ...upload, possibleName: 'newer.mp3' }, 'newer.mp3')
  checkName(ledger, { ...upload, state: 'unknown' }, null)
  checkName(ledger, { ...upload, state: 'deleted' }, null)
  expect(ledger.findings).toEqual([])
  checkName(ledger, upload, 'old.mp3')
  checkName(ledger, upload, null)
  checkName(ledger, { ...upload, state: 'deleted' }, 'new.mp3')
  expect(findingKinds()).toEqual(['lost in 2', 'lost in 2', 'lost in 2'])
})
