import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { readConfig } from '#data/config.ts'
import { invitationModel } from '#data/invitations/invitation-model.ts'
import { mailsTo } from '#testing/accounts.ts'
import { roundCount } from '#testing/rounds.ts'
import { startTestServer, type TestServer } from '#testing/server.ts'

let server: TestServer
let token: string
beforeAll(async () => {
  const { signUpPerHour } = readConfig({}).rates
  server = await startTestServer({ config: { rates: { signUpPerHour } } })
})
beforeEach(async () => {
  token = (await server.createSignedIn({ role: 'admin' })).accessToken
})
afterAll(() => server.close())

const preview = (csv: string) => server.call(api.invitations.previewImport, { body: { csv }, token })
const importAll = (csv: string) => server.call(api.invitations.import, { body: { csv, days: 3 }, token })
const model = () => invitationModel(server.services.database.connection)
const countStored = (domain: string, names: string[]) =>
  model().countDocuments({ email: { $in: names.map((name) => `${name}@${domain}`) } })

test('the preview names each bad line and stores nothing; the import of such a file invites nobody', async () => {
  const user = await server.createUser()
  const invited = 'invited@example.org'
  await server.call(api.invitations.create, { body: { email: invited }, token })
  const csv = [
    'E-Mail;First name;Last name;Role',
    'good1@preview.example;Zarghuna;Ana;',
    'nonsense;Nazo;;user',
    'boss@preview.example;;;super admin',
    'king@preview.example;;;king',
    `${user.email};;;user`,
    `${invited};;;user`,
    'GOOD1@preview.example;;;user',
    'good2@preview.example;;;admin;surplus',
  ].join('\r\n')
  const { rows, good, bad } = (await preview(csv)).data
  expect([good, bad]).toEqual([1, 7])
  const sentences = rows.flatMap(({ line, errors }) => errors.map((text) => `Line ${line}: ${text}`))
  expect(sentences).toEqual([
    'Line 3: Please enter a valid email address',
    'Line 4: Only a super admin may invite super admins',
    'Line 5: There is no role "king". Roles: user, admin, super_admin',
    'Line 6: There is an account with this address',
    'Line 7: This address has a pending invitation',
    'Line 8: Line 2 has the same address',
    'Line 9: There are 5 values, but the first line names 4',
  ])
  const { status, error } = await importAll(csv)
  expect([status, error.code, error.fields?.csv]).toEqual([400, 'invalid_input', sentences])
  await server.services.mailer.idle()
  expect(await countStored('preview.example', ['good1', 'good2', 'boss', 'king'])).toBe(0)
})

test('an import invites everybody, mails each and is audited; another of the same people names them', async () => {
  const csv = 'email,first_name,role\na@import.example,Zarghuna,admin\nb@import.example,"=1+1",user\n'
  expect((await preview(csv)).data).toMatchObject({ good: 2, bad: 0 })
  expect((await importAll(csv)).data).toEqual({ invited: 2 })
  const mails = [...(await mailsTo(server, 'a@import.example')), ...(await mailsTo(server, 'b@import.example'))]
  expect(mails.map(({ text }) => text.split('\n')[0])).toEqual(['Hello Zarghuna,', 'Hello,'])
  expect(mails[0]?.text).toContain('works for 3 days')
  const body = { token: mails[0]?.token ?? '', username: 'zarghuna', password: 'Harvest-moon7' }
  expect((await server.call(api.invitations.accept, { body })).data.user).toMatchObject({ role: 'admin' })
  expect((await importAll(csv)).error.details).toEqual([
    'Line 2: There is an account with this address',
    'Line 3: This address has a pending invitation',
  ])
  const { events } = (await server.call(api.admin.audit, { query: { action: 'invitation.import' }, token })).data
  expect(events[0]).toMatchObject({ details: '2 people, 1 as admin', outcome: 'success' })
})

test('of two imports at once of one person, one invites', async () => {
  const csv = (other: string) => `email\n${other}@race.example\nsame@race.example\n`
  const results = await Promise.all([importAll(csv('one')), importAll(csv('two'))])
  expect(results.map(({ status }) => status).toSorted()).toEqual([201, 400])
  expect(await countStored('race.example', ['one', 'two', 'same'])).toBe(2)
})

test('an import that was interrupted is completed when it was decided, else removed', async () => {
  const now = server.clock.now()
  const fields = (batchId: string, email: string, status: 'staged' | 'open') => ({
    batchId,
    email,
    openEmail: email,
    status,
    role: 'user' as const,
    inviterName: 'x',
    days: 7,
    createdAt: new Date(now - 61_000),
    sentAt: new Date(now),
    expiresAt: new Date(now + 86_400_000),
    removeAt: new Date(now + 86_400_000),
  })
  await model().create([
    fields('decided', 'a@crash.example', 'open'),
    fields('decided', 'b@crash.example', 'staged'),
    fields('undecided', 'c@crash.example', 'staged'),
    fields('undecided', 'd@crash.example', 'staged'),
  ])
  const listed = async () => {
    const query = { search: 'crash.example' }
    const { data } = await server.call(api.invitations.list, { query, token })
    return data.invitations.map(({ email }) => email).toSorted()
  }
  expect(await listed()).toEqual(['a@crash.example'])
  await server.services.invitations.mailQueue.sendDue()
  expect(await listed()).toEqual(['a@crash.example', 'b@crash.example'])
  expect(await mailsTo(server, 'b@crash.example')).toHaveLength(1)
  expect(await countStored('crash.example', ['a', 'b', 'c', 'd'])).toBe(2)
})

test('a file that cannot be read as a whole is refused with a sentence', async () => {
  for (const call of [preview, importAll]) {
    const { status, error } = await call('name\nZarghuna')
    expect([status, error.code, Object.keys(error.fields ?? {})]).toEqual([400, 'invalid_input', ['csv']])
  }
})

const crowdSize = roundCount(200)

test(`${crowdSize} people are invited at once and accept behind one address`, { tags: ['rounds'] }, async () => {
  const emails = Array.from({ length: crowdSize }, (_, n) => `crowd${n}@crowd.example`)
  expect((await importAll(['email', ...emails].join('\n'))).data.invited).toBe(crowdSize)
  await server.services.mailer.idle()
  const folder = join(server.config.dataDir, 'outbox')
  const tokens: string[] = []
  for (const name of await readdir(folder)) {
    if (!name.endsWith('.eml') || !(await readFile(join(folder, name), 'utf8')).includes('@crowd.example')) continue
    const text = await readFile(join(folder, name.replace(/eml$/, 'txt')), 'utf8')
    tokens.push(/\?token=([\w-]+)/.exec(text)?.[1] ?? '')
  }
  expect(tokens).toHaveLength(crowdSize)
  const statuses: number[] = []
  while (tokens.length > 0) {
    const some = tokens.splice(0, 10)
    const accepted = some.map(async (link) => {
      await server.call(api.invitations.check, { body: { token: link } })
      const body = { token: link, username: `crowd-${link.replaceAll(/[^A-Za-z]/g, '')}`, password: 'Harvest-moon7' }
      return (await server.call(api.invitations.accept, { body })).status
    })
    statuses.push(...(await Promise.all(accepted)))
  }
  expect(statuses.filter((status) => status !== 201)).toEqual([])
})
