import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { api } from '#contract/api.ts'
import type { QueryInput } from '#contract/endpoint.ts'
import { toObjectId } from '#data/ids.ts'
import { saveSource } from '#data/jobs/translation-source.ts'
import { removeExpired } from '#data/recordings/expire.ts'
import { recordingModel } from '#data/recordings/recording-model.ts'
import { storeDocument } from '#testing/recordings.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'
import { listSources, setRecordingCreatedAt, setSourceUsedAt } from '#testing/stored-work.ts'

const dayMs = 24 * 3600 * 1000
const settingDays = 30
let server: TestServer
let admin: SignedInUser
let superAdmin: SignedInUser
let owner: SignedInUser

const queue = () => server.services.work.queue
const connection = () => server.services.database.connection
const stores = () => ({ queue: queue(), audioStore: server.services.work.audioStore })

beforeAll(async () => {
  server = await startTestServer({ config: { retentionDays: settingDays } })
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
})
afterAll(() => server.close())
beforeEach(async () => {
  for (const name of ['recordings', 'cases', 'case_recordings', 'sources'])
    await connection().collection(name).deleteMany({})
  admin = await server.createSignedIn({ role: 'admin' })
  superAdmin = await server.createSignedIn({ role: 'super_admin' })
  owner = await server.createSignedIn()
  await setRoleDays({})
})

test('people see the days that hold for their role, and whether some of their cases have others', async () => {
  const readOwn = async ({ accessToken: token }: SignedInUser) => (await server.call(api.retention.own, { token })).data
  expect(await readOwn(owner)).toEqual({ days: settingDays, has_case_days: false })
  await setRoleDays({ user: 7 })
  expect(await readOwn(owner)).toEqual({ days: 7, has_case_days: false })
  expect(await readOwn(admin)).toEqual({ days: settingDays, has_case_days: false })
  await makeCase(90, [await store(1)])
  expect(await readOwn(owner)).toEqual({ days: 7, has_case_days: true })
  expect(await readOwn(admin)).toEqual({ days: settingDays, has_case_days: false })
})

async function store(daysAgo: number, { id: ownerId } = owner): Promise<string> {
  const { id } = await storeDocument(connection(), { ownerId })
  await setRecordingCreatedAt(queue(), id, new Date(Date.now() - daysAgo * dayMs))
  return id
}

async function makeCase(days: number | null, recordingIds: string[], { accessToken: token } = owner): Promise<string> {
  const { id } = (await server.call(api.cases.create, { token, body: { name: `Case of ${days}` } })).data
  await server.call(api.cases.addRecordings, { token, params: { id }, body: { selection: { ids: recordingIds } } })
  expect((await setCaseDays(id, days)).status).toBe(200)
  return id
}

function setRoleDays(days: { user?: number; admin?: number; super_admin?: number }) {
  const role_days = { user: null, admin: null, super_admin: null, ...days }
  return server.call(api.retention.setRoleDays, { body: { role_days }, token: superAdmin.accessToken })
}

function setCaseDays(id: string, days: number | null) {
  return server.call(api.retention.setCaseDays, { params: { id }, body: { days }, token: superAdmin.accessToken })
}

async function dryRun(query: QueryInput<typeof api.retention.dryRun> = {}) {
  return (await server.call(api.retention.dryRun, { query: { per_page: 100, ...query }, token: admin.accessToken }))
    .data
}

async function dueIds(query: QueryInput<typeof api.retention.dryRun> = {}): Promise<string[]> {
  return (await dryRun(query)).recordings.map(({ id }) => id).toSorted()
}

async function keptIds(): Promise<string[]> {
  const kept = await recordingModel(connection()).find({ deletedAt: null }, { _id: 1 }).lean()
  return kept.map(({ _id }) => _id.toHexString()).toSorted()
}

describe('which rule counts', () => {
  test.each([
    ['the setting', {}, [], 29, false],
    ['the setting', {}, [], 31, true],
    ['a longer case', {}, [90], 31, false],
    ['a shorter case', {}, [7], 8, true],
    ['the longest of several cases', {}, [7, 90], 31, false],
    ['the longest of several cases', {}, [7, 90], 91, true],
    ['a case that keeps for ever', {}, [7, 0], 9_999, false],
    ['a case without days of its own, as without it', {}, [null], 31, true],
    ['the role of the owner', { user: 60 }, [], 31, false],
    ['the role of the owner', { user: 5 }, [], 6, true],
    ['a role that keeps for ever', { user: 0 }, [], 9_999, false],
    ['another role, which does not matter', { admin: 5 }, [], 6, false],
    ['a case before the role', { user: 5 }, [90], 31, false],
  ])('%s: %j, cases of %j days, %d days old: %s', async (_name, roleDays, cases, age, isDue) => {
    await setRoleDays(roleDays)
    const id = await store(age)
    for (const days of cases) await makeCase(days, [id])
    expect(await dueIds()).toEqual(isDue ? [id] : [])
    expect((await removeExpired(stores(), settingDays)).recordings).toBe(isDue ? 1 : 0)
    expect(await keptIds()).toEqual(isDue ? [] : [id])
  })
})

test('the dry run lists exactly what then goes, and why and when', async () => {
  const other = await server.createSignedIn({ role: 'admin' })
  await setRoleDays({ admin: 10 })
  const [young, old, older] = [await store(29), await store(31), await store(400)]
  const [adminOld, adminYoung] = [await store(11, other), await store(9, other)]
  const [inShort, inLong, held] = [await store(8), await store(200), await store(500)]
  const shortCase = await makeCase(7, [inShort])
  await makeCase(365, [inLong])
  const hold = { params: { id: held }, body: { reason: 'Court order 7' }, token: owner.accessToken }
  await server.call(api.holds.set, hold)
  const listed = await dryRun()
  expect(listed.recordings.map(({ id }) => id).toSorted()).toEqual([old, older, adminOld, inShort].toSorted())
  expect(listed).toMatchObject({ total: 4, held: 1, texts: 0, total_size: 20 })
  const due = listed.recordings.map(({ due_at }) => due_at)
  expect(due).toEqual(due.toSorted())
  expect(listed.recordings.find(({ id }) => id === inShort)).toMatchObject({
    rule: 'case',
    days: 7,
    case: { id: shortCase, name: 'Case of 7' },
    owner: { email: owner.email },
    size: 5,
  })
  expect(listed.recordings.find(({ id }) => id === adminOld)).toMatchObject({ rule: 'role', days: 10, case: null })
  expect(listed.recordings.find(({ id }) => id === old)).toMatchObject({ rule: 'setting', days: 30, case: null })
  expect(JSON.stringify(listed)).not.toContain('call.wav')
  expect(await keptIds()).toHaveLength(8)

  expect((await removeExpired(stores(), settingDays)).recordings).toBe(4)
  expect(await keptIds()).toEqual([young, adminYoung, inLong, held].toSorted())
  expect((await dryRun()).total).toBe(0)
})

test('the dry run looks ahead, and tries days before they are set', async () => {
  const [young, old] = [await store(20), await store(31)]
  const id = await makeCase(null, [young])
  expect(await dueIds()).toEqual([old])
  expect(await dueIds({ within_days: 11 })).toEqual([young, old].toSorted())
  expect(await dueIds({ user_days: 'none' })).toEqual([old])
  expect(await dueIds({ user_days: 10 })).toEqual([young, old].toSorted())
  expect(await dueIds({ user_days: 0 })).toEqual([])
  expect(await dueIds({ case: id, case_days: 15 })).toEqual([young, old].toSorted())
  expect(await dueIds({ case: id, case_days: 90, within_days: 30 })).toEqual([old])
  expect((await dryRun({ within_days: 11, per_page: 1, page: 2 })).recordings).toHaveLength(1)
  expect(await keptIds()).toHaveLength(2)
})

test('texts go by the days of their owner’s role', async () => {
  const other = await server.createSignedIn({ role: 'admin' })
  const makeText = async ({ id: ownerId }: SignedInUser) => {
    const sourceId = await saveSource(queue(), { ownerId, recordingId: null }, { kind: 'text', text: ownerId })
    await setSourceUsedAt(queue(), sourceId, new Date(Date.now() - 20 * dayMs))
    return sourceId
  }
  const [own, ofAdmin] = [await makeText(owner), await makeText(other)]
  expect((await dryRun()).texts).toBe(0)
  await setRoleDays({ admin: 10 })
  expect((await dryRun()).texts).toBe(1)
  expect(await removeExpired(stores(), settingDays)).toEqual({ recordings: 0, texts: 1 })
  const left = await listSources(queue())
  expect(left).toContain(own)
  expect(left).not.toContain(ofAdmin)
})

test('a recording counts as one of a case while its owner is a member', async () => {
  const id = await store(8)
  const caseId = await makeCase(7, [id])
  await connection()
    .collection('cases')
    .updateOne({ _id: toObjectId(caseId) }, { $set: { members: [] } })
  expect(await dueIds()).toEqual([])
})

test('admins read the rules, super admins change them, and each change is audited', async () => {
  const caseId = await makeCase(7, [await store(1)])
  const { data } = await server.call(api.retention.get, { token: admin.accessToken })
  expect(data).toMatchObject({
    setting_days: 30,
    role_days: { user: null, admin: null, super_admin: null },
    cases: [{ case: { id: caseId, name: 'Case of 7', owner: { email: owner.email } }, days: 7, recording_count: 1 }],
  })
  const shown = await server.call(api.cases.get, { params: { id: caseId }, token: owner.accessToken })
  expect(shown.data.retention_days).toBe(7)
  expect((await setCaseDays(caseId, null)).data.cases).toEqual([])
  expect((await setCaseDays('0'.repeat(24), 7)).error.code).toBe('not_found')
  expect((await setRoleDays({ user: 5 })).data.role_days.user).toBe(5)
  const { events } = (await server.call(api.admin.audit, { query: { search: 'retention.' }, token: admin.accessToken }))
    .data
  expect(events.slice(0, 2)).toMatchObject([
    { action: 'retention.roles', details: 'user: 5 days, admin: no days of its own, super_admin: no days of its own' },
    { action: 'retention.case', target: 'case "Case of 7"', details: `no days of its own (case ${caseId})` },
  ])
})

/** Runs `awaz retention ...` and returns its exit code and the lines it printed. */
async function awazRetention(...args: string[]): Promise<{ code: number; lines: string[] }> {
  vi.stubEnv('MONGODB_URI', server.databaseUri)
  vi.stubEnv('DATA_DIR', server.config.dataDir)
  vi.stubEnv('RETENTION_DAYS', String(settingDays))
  const { run } = await import('../../../scripts/cli/retention.ts')
  const lines: string[] = []
  const print = (line: string) => void lines.push(line)
  vi.spyOn(console, 'log').mockImplementation(print)
  vi.spyOn(console, 'error').mockImplementation(print)
  return { code: await run(args), lines }
}

test('the command line lists the same, and what is on hold', async () => {
  const [old, soon, held] = [await store(31), await store(20), await store(500)]
  const caseId = await makeCase(21, [soon])
  await server.call(api.holds.set, {
    params: { id: held },
    body: { reason: 'Court order 7' },
    token: owner.accessToken,
  })
  await server.call(api.holds.setOfCase, {
    params: { id: caseId },
    body: { reason: 'Matter 8' },
    token: admin.accessToken,
  })
  const now = await awazRetention('dry-run')
  expect(now.lines[0]).toMatch(
    new RegExp(`^${old}  ${owner.email}  uploaded .*  30 days \\(RETENTION_DAYS\\)  goes now$`),
  )
  expect(now.lines.slice(1)).toEqual([
    expect.stringMatching(/: 1 recording and 0 texts would be deleted\.$/),
    'On legal hold, and kept for that reason alone: 1 recording.',
  ])
  const { lines: holds } = await awazRetention('holds')
  expect(holds[0]).toContain(`case ${caseId}  of ${owner.email}`)
  expect(holds[1]).toContain(`set by ${owner.email}: Court order 7`)
  expect(holds[2]).toBe('On legal hold: 1 case and 1 recording.')
  await server.call(api.holds.liftOfCase, {
    params: { id: caseId },
    body: { reason: 'over' },
    token: admin.accessToken,
  })
  const { lines: ahead } = await awazRetention('dry-run', '--within', '5')
  expect(ahead[1]).toMatch(new RegExp(`^${soon} .*  21 days of the case "Case of 21"  goes 20`))
  expect((await awazRetention('dry-run', '--within', 'soon')).code).toBe(1)
  expect((await awazRetention('delete')).code).toBe(1)
  expect((await awazRetention()).code).toBe(0)
  expect(await keptIds()).toHaveLength(3)
})
