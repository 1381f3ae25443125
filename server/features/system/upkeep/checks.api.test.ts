import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import type { DoctorFinding } from '#contract/entities/upkeep.ts'
import { ensureIndexes } from '#data/indexes.ts'
import { createSystemFactRepository } from '#data/system/system-facts.ts'
import { systemFactModel } from '#data/system/system-fact-model.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database.ts'
import { createTestClock } from '#testing/test-clock.ts'
import { createDoctorChecks } from './checks.ts'
import { createRuns } from './runs.ts'
import { createFindingPresenter } from './shown-findings.ts'

const hourMs = 3_600_000
const log = { debug: () => undefined, warn: () => undefined }
const keep = { daily: 7, weekly: 4, monthly: 12 }
const finding: DoctorFinding = { code: 'a', severity: 'problem', title: 'A', what: 'A.', why: 'A.', remedy: 'A.' }
let database: TestDatabase
/** Commands that were run. */
let commands: string[][]
let found: DoctorFinding[]

beforeAll(async () => {
  database = await createTestDatabase()
  await ensureIndexes(database.connection)
})
beforeEach(async () => {
  commands = []
  found = []
  await systemFactModel(database.connection).deleteMany({})
})
afterAll(() => database.drop())

/** Opens the checks of a server. By default no backup is known. */
function openChecks(clock = createTestClock(), backupTime?: string) {
  const { connection } = database
  const runs = createRuns({ connection, clock, log })
  onTestFinished(() => runs.close())
  const backup = {
    folder: undefined,
    time: backupTime,
    passphrase: undefined,
    recipients: [],
    isUnencrypted: false,
    keep,
  }
  const checks = createDoctorChecks({
    config: { backup },
    runs,
    async runCommand(args) {
      commands.push(args)
      return { status: 1, stdout: JSON.stringify(found), messages: '' }
    },
    facts: createSystemFactRepository(connection),
    clock,
    presentFindings: createFindingPresenter(connection),
  })
  /** Does what a server does every few minutes, and waits until no run is in progress. */
  async function look() {
    await checks.startDue()
    await expect.poll(runs.isBusy).toBe(false)
  }
  return { ...checks, look, runs }
}

function clockAt(time: string) {
  const clock = createTestClock()
  clock.advance(new Date(`2030-03-02T${time}:00`).getTime() - clock.now())
  return clock
}

test('an instance that was never checked is checked an hour after its start, and then each night', async () => {
  const clock = clockAt('12:00')
  const { look } = openChecks(clock)
  await look()
  expect(commands).toEqual([])
  clock.advance(hourMs)
  await look()
  expect(commands).toEqual([['doctor', '--json', '--progress']])
  clock.advance(15.9 * hourMs)
  await look()
  expect(commands).toHaveLength(1)
  clock.advance(0.2 * hourMs)
  await look()
  await look()
  expect(commands).toHaveLength(2)
})

test('several servers make the checks of a night once, and one that was missed later', async () => {
  const clock = clockAt('04:30')
  const servers = [openChecks(clock), openChecks(clock)]
  await servers[0]?.start()
  await expect.poll(() => servers[0]?.runs.isBusy()).toBe(false)
  clock.advance(hourMs)
  await Promise.all(servers.map(({ look }) => look()))
  expect(commands).toHaveLength(2)
  clock.advance(5 * 24 * hourMs)
  for (const { look } of servers) await look()
  expect(commands).toHaveLength(3)
})

test('a backup of that hour comes first', async () => {
  const clock = clockAt('04:30')
  const { start, look, runs } = openChecks(clock, '05:15')
  await start()
  await expect.poll(runs.isBusy).toBe(false)
  clock.advance(hourMs)
  await look()
  expect(commands).toHaveLength(1)
  clock.advance(hourMs)
  await look()
  expect(commands).toHaveLength(2)
})

test('the checks wait while something else is under way', async () => {
  const clock = clockAt('12:00')
  const { startDue, look, runs } = openChecks(clock)
  clock.advance(hourMs)
  await runs.duringTurn(new AbortController().signal, startDue)
  expect(commands).toEqual([])
  await look()
  expect(commands).toHaveLength(1)
})

test('what was found last and needs action is listed', async () => {
  const { start, listIssues, runs } = openChecks()
  expect(await listIssues()).toEqual([])
  found = [finding, { ...finding, code: 'b', severity: 'note' }, { ...finding, code: 'c', severity: 'warning' }]
  await start()
  await expect.poll(runs.isBusy).toBe(false)
  expect((await listIssues()).map(({ code }) => code)).toEqual(['a', 'c'])
})
