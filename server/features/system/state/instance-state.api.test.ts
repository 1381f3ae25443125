import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { InstanceWarning } from '#contract/entities/instance-state.ts'
import { recordHeartbeat } from '#data/engines/engines.ts'
import { sampleWork } from '#data/work-hours/work-hours.ts'
import { systemFactModel } from '#data/system/system-fact-model.ts'
import { mailsTo } from '#testing/accounts.ts'
import { makeHeartbeat, makeJob } from '#testing/jobs.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'
import { uploadDialogue } from '#testing/uploads.ts'

import { createWarningMails, type MailedWarning } from './warning-mails.ts'

const dayMs = 24 * 3_600_000
const disk: InstanceWarning = {
  code: 'disk_full_soon',
  severity: 'warning',
  title: 'The disk is full in 3 days',
  remedy: 'Make room.',
}
const backup: InstanceWarning = { code: 'backup_old', severity: 'problem', title: 'Old backup', remedy: 'Make one.' }
const mail: InstanceWarning = { code: 'mail_fails', severity: 'warning', title: 'No mail', remedy: 'Wait.' }
let server: TestServer
let admin: SignedInUser

beforeAll(async () => {
  server = await startTestServer()
  admin = await server.createSignedIn({ role: 'super_admin' })
})
beforeEach(async () => {
  await systemFactModel(server.services.database.connection).deleteOne({ _id: 'told_warnings' })
})
afterAll(() => server.close())

test('an administrator reads queue, disks, backups and what needs attention', async () => {
  const { queue } = server.services.work
  await recordHeartbeat(queue.connection, 'able', makeHeartbeat())
  await makeJob(queue)
  const id = await uploadDialogue(server, admin.accessToken)
  const { data: recording } = await server.call(api.recordings.get, { params: { id }, token: admin.accessToken })
  await server.services.audit.record(
    { action: 'backup.create', outcome: 'success' },
    { ip: '', userAgent: '', requestId: '' },
  )
  await sampleWork(queue.connection, new Date(server.clock.now()))
  const { data } = await server.call(api.system.state, { token: admin.accessToken })
  expect(data.work).toHaveLength(30)
  expect(data.work.at(-1)).toMatchObject({ waiting: 1, transcribed_seconds: 0 })
  expect(data.work[0]).toMatchObject({ waiting: null, oldest_waiting_seconds: null })
  expect(data.queue).toMatchObject({ waiting: 1, ended_last_day: 0, failed_last_day: 0 })
  expect(data.disk.data.free_bytes).toBeGreaterThan(0)
  expect(data.disk.data.size_bytes).toBeGreaterThan(data.disk.data.free_bytes)
  expect(data.disk.backup).toBeNull()
  expect(data.disk.added).toHaveLength(30)
  const today = new Date(server.clock.now()).toISOString().slice(0, 10)
  expect(data.disk.added.at(-1)).toEqual({ day: today, bytes: recording.size })
  expect(data.disk.added.slice(0, -1).every(({ bytes }) => bytes === 0)).toBe(true)
  expect(data.disk.days_left).toBeGreaterThan(0)
  expect(data.backups).toMatchObject({ is_scheduled: false, failed_at: null, rehearsed_at: null })
  expect(Date.parse(data.backups.made_at ?? '')).toBeGreaterThan(0)
  expect(data.certificate_ends_at).toBeNull()
  expect(data.warnings.map(({ code }) => code)).toEqual(['rehearsal_old'])
})

function openMails(warnings: () => MailedWarning[]) {
  const { users, mailer, database } = server.services
  const deps = { connection: database.connection, users, mailer, clock: server.clock, publicUrl: 'https://awaz.test' }
  return createWarningMails({ ...deps, hasMailServer: true, readWarnings: async () => warnings() })
}

async function countMails() {
  return (await mailsTo(server, admin.email)).filter(({ text }) => text.includes('/admin/system')).length
}

test('super admins are told once of what two checks found, by one of several servers', async () => {
  const before = await countMails()
  let warnings = [disk, mail]
  const servers = [openMails(() => warnings), openMails(() => warnings)]
  const check = () => Promise.all(servers.map(({ sendDue }) => sendDue()))
  await check()
  expect(await countMails()).toBe(before)
  for (let round = 0; round < 3; round += 1) await check()
  expect(await countMails()).toBe(before + 1)
  const [sent] = (await mailsTo(server, admin.email)).filter(({ subject }) => subject === disk.title)
  expect(sent?.text).toContain('The disk is full in 3 days. Make room.')
  expect(sent?.text).toContain('https://awaz.test/admin/system')

  warnings = [disk, backup]
  for (let round = 0; round < 3; round += 1) await check()
  expect(await countMails()).toBe(before + 2)
})

test('a warning that comes back is told again after a day, and not while it lasts', async () => {
  const before = await countMails()
  let warnings = [disk]
  const { sendDue } = openMails(() => warnings)
  for (let day = 0; day < 3; day += 1) {
    for (let half = 0; half < 2; half += 1) {
      await sendDue()
      await sendDue()
      server.clock.advance(dayMs / 2 + 1000)
    }
  }
  expect(await countMails()).toBe(before + 1)
  warnings = []
  await sendDue()
  server.clock.advance(dayMs + 1000)
  await sendDue()
  warnings = [disk]
  await sendDue()
  await sendDue()
  expect(await countMails()).toBe(before + 2)
})

test('what the nightly checks found needs attention, and is mailed where nothing else tells of it', async () => {
  const { connection } = server.services.database
  const finding = {
    code: 'audio.damaged',
    severity: 'problem',
    title: 'Damaged sound',
    remedy: 'Restore.',
    what: '',
    why: '',
  }
  const findings = [
    finding,
    { ...finding, code: 'backup.old', title: 'Old' },
    { ...finding, code: 'models.demo', severity: 'note', title: 'Demo' },
  ]
  const value = JSON.stringify({ at: new Date().toISOString(), findings })
  await systemFactModel(connection).updateOne({ _id: 'upkeep_checks' }, { $set: { value } }, { upsert: true })
  const reader = await server.createSignedIn({ role: 'admin' })
  const { data } = await server.call(api.system.state, { token: reader.accessToken })
  expect(data.warnings[0]).toMatchObject({
    code: 'checks_find',
    severity: 'problem',
    // As many as the page lists under Checks, even if other warnings cover some of them.
    title: 'The checks found 2 issues',
  })
  const before = await countMails()
  const warnings = await server.services.instanceState.readWarnings()
  const { sendDue } = openMails(() => warnings)
  for (let round = 0; round < 3; round += 1) await sendDue()
  expect(await countMails()).toBe(before + 1)
  const [sent] = (await mailsTo(server, admin.email)).filter(({ text }) => text.includes('Damaged sound'))
  expect(sent?.text).toContain('Damaged sound. Restore.')
  expect(sent?.text).not.toMatch(/Old|Demo|The checks found/)
})

test('what the checks found needs no attention of its own where other warnings tell of all of it', async () => {
  const { connection } = server.services.database
  const finding = { code: 'mail.silent', severity: 'problem', title: 'T', remedy: 'R.', what: '', why: '' }
  const value = JSON.stringify({ at: new Date().toISOString(), findings: [finding] })
  await systemFactModel(connection).updateOne({ _id: 'upkeep_checks' }, { $set: { value } }, { upsert: true })
  const reader = await server.createSignedIn({ role: 'admin' })
  const { data } = await server.call(api.system.state, { token: reader.accessToken })
  expect(data.warnings.map(({ code }) => code)).not.toContain('checks_find')
})

test('without a mail server nobody is told by mail', async () => {
  const before = await countMails()
  const { users, mailer, database } = server.services
  const deps = { connection: database.connection, users, mailer, clock: server.clock, publicUrl: 'https://awaz.test' }
  const { sendDue } = createWarningMails({ ...deps, hasMailServer: false, readWarnings: async () => [backup] })
  for (let round = 0; round < 3; round += 1) await sendDue()
  expect(await countMails()).toBe(before)
})
