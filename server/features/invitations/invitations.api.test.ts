import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { invitationModel } from '#data/invitations/invitation-model.ts'
import { mailsTo, newestMail, signIn, totp } from '#testing/accounts.ts'
import { startTestServer, type TestServer } from '#testing/server.ts'

const dayMs = 24 * 60 * 60_000
const password = 'Harvest-moon7'

let server: TestServer
let admin: string
let superAdmin: string
let count = 0
let email = ''
let username = ''
beforeAll(async () => {
  server = await startTestServer({ config: { publicUrl: 'https://awaz.example.org' } })
})
beforeEach(async () => {
  admin = (await server.createSignedIn({ role: 'admin' })).accessToken
  superAdmin = (await server.createSignedIn({ role: 'super_admin' })).accessToken
  count += 1
  email = `guest${count}@example.org`
  username = `guest${count}`
})
afterAll(() => server.close())

type Invite = { email?: string; role?: 'user' | 'admin' | 'super_admin'; days?: number; first_name?: string }
const create = (body: Invite = {}, token = admin) =>
  server.call(api.invitations.create, { body: { email, ...body }, token })
const invite = async (body?: Invite, token?: string) => (await create(body, token)).data.invitation
const tokenOf = async (address = email) => (await newestMail(server, address, 'You are invited')).token
const check = (token: string) => server.call(api.invitations.check, { body: { token } })
const accept = (token: string, body: { username?: string; password?: string; first_name?: string } = {}) =>
  server.call(api.invitations.accept, { body: { token, username, password, ...body } })
const resend = (id: string, token = admin) => server.call(api.invitations.resend, { params: { id }, token })
const revoke = (id: string, token = admin) => server.call(api.invitations.revoke, { params: { id }, token })
const find = async (search = email, state: '' | 'pending' | 'expired' | 'accepted' | 'revoked' = '') =>
  (await server.call(api.invitations.list, { query: { search, state }, token: superAdmin })).data
const stateOf = async (address = email) => (await find(address)).invitations[0]?.state

async function auditOf(action: string) {
  const { data } = await server.call(api.admin.audit, { query: { action, search: email }, token: superAdmin })
  return data.events
}

const invalid = [403, 'invitation_invalid', 'This invitation is no longer valid.']
const refusal = ({ status, error }: { status: number; error: { code: string; error: string } }) => [
  status,
  error.code,
  error.error,
]

describe('an invitation', () => {
  test('is mailed, read, accepted, continued with two-factor, and leads in', async () => {
    const invited = await invite({ role: 'admin', first_name: 'Zarghuna' })
    expect(invited).toMatchObject({ email, first_name: 'Zarghuna', role: 'admin', state: 'pending', accepted_at: null })
    const mail = await newestMail(server, email, 'You are invited to Awaz')
    expect(mail.text).toContain('Hello Zarghuna,')
    expect(mail.text).toMatch(/^Test Person \d+ invites you to Awaz\./m)
    expect(mail.text).toContain(`works for 7 days, until ${invited.expires_at.slice(0, 10)}`)
    expect(mail.text).toContain(`https://awaz.example.org/invitation?token=${mail.token}\n`)
    const stored = await invitationModel(server.services.database.connection).findOne({ email }).lean()
    expect(JSON.stringify(stored)).not.toContain(mail.token)

    expect((await check(mail.token)).data).toEqual({
      email,
      first_name: 'Zarghuna',
      last_name: '',
      role: 'admin',
      invited_by: invited.invited_by,
      expires_at: invited.expires_at,
    })
    const accepted = await accept(mail.token)
    expect(accepted.status).toBe(201)
    expect(accepted.data).toMatchObject({
      requires_2fa_setup: true,
      user: { email, username, first_name: 'Zarghuna', role: 'admin', is_verified: true, must_change_password: false },
    })
    await expect(newestMail(server, email, 'You are invited')).rejects.toThrow('no mail')
    expect(refusal(await accept(mail.token, { username: 'other' }))).toEqual(invalid)
    expect(refusal(await check(mail.token))).toEqual(invalid)
    expect(await stateOf()).toBe('accepted')

    const { user_id } = accepted.data
    const { cookies } = accepted
    const setup = (await server.call(api.auth.setUpRegistrationTwoFactor, { body: { user_id }, cookies })).data
    const totp_token = await totp(server, setup.secret)
    const body = { user_id, totp_token }
    expect((await server.call(api.auth.verifyRegistrationTwoFactor, { body, cookies })).status).toBe(200)
    const signedIn = await signIn(server, { email, password, totp_token: await totp(server, setup.secret, 1) })
    expect(signedIn.user.role).toBe('admin')
    expect((await auditOf('invitation.create')).map(({ details }) => details)).toEqual(['admin, 7 days'])
    expect((await auditOf('invitation.accept')).map(({ details }) => details)).toEqual(['admin'])
  })

  test('is one per address while it is pending; an expired one does not stand in the way', async () => {
    await invite({ days: 1 })
    const { status, error } = await create()
    expect([status, error.code, error.help]).toEqual([409, 'conflict', 'Resend it, or revoke it and invite again.'])
    server.clock.advance(dayMs)
    admin = (await server.createSignedIn({ role: 'admin' })).accessToken
    expect((await create()).status).toBe(201)
    superAdmin = (await server.createSignedIn({ role: 'super_admin' })).accessToken
    expect((await find()).invitations.map(({ state }) => state)).toEqual(['pending', 'expired'])
  })

  test('of two at once to one address, one is stored', async () => {
    const results = await Promise.all([create(), create({}, superAdmin), create()])
    expect(results.map(({ status }) => status).toSorted()).toEqual([201, 409, 409])
    expect((await find()).total).toBe(1)
  })

  test('to an address with an account is email_taken, bad input names its field', async () => {
    const user = await server.createUser()
    expect((await create({ email: user.email })).error.code).toBe('email_taken')
    const { status, error } = await create({ email: 'nonsense' })
    expect([status, error.code, Object.keys(error.fields ?? {})]).toEqual([400, 'invalid_input', ['email']])
  })

  test('accepted twice at once makes one account', async () => {
    await invite()
    const token = await tokenOf()
    const results = await Promise.all(['one', 'two'].map((name) => accept(token, { username: `${username}.${name}` })))
    const [refused] = results.toSorted((one, other) => other.status - one.status)
    // The later request finds the account, or an invitation that has already been accepted.
    expect(['email_taken', 'invitation_invalid']).toContain(refused?.error.code)
    expect(await stateOf()).toBe('accepted')
  })

  test('checks the password and the username, and can be tried again', async () => {
    await invite()
    const token = await tokenOf()
    const weak = await accept(token, { password: 'short' })
    expect([weak.status, Object.keys(weak.error.fields ?? {})]).toEqual([400, ['password']])
    const taken = await server.createUser()
    expect((await accept(token, { username: taken.username })).error.code).toBe('username_taken')
    expect((await accept(token, { first_name: 'Own' })).data.user.first_name).toBe('Own')
  })

  test('counts as accepted once somebody registered with its address and verified it', async () => {
    await invite()
    const token = await tokenOf()
    await server.call(api.auth.signUp, { body: { email, username, password } })
    expect((await accept(token, { username: 'other' })).error.code).toBe('email_taken')
    expect(await stateOf()).toBe('pending')
    const pending = await server.services.invitations.countPending()
    await server.call(api.auth.verifyEmail, { body: { token: (await newestMail(server, email, 'Verify')).token } })
    expect(refusal(await check(token))).toEqual(invalid)
    expect(await stateOf()).toBe('accepted')
    expect(await server.services.invitations.countPending()).toBe(pending - 1)
  })

  test('that ends while its account is made takes the account with it', async () => {
    const { id } = await invite()
    const token = await tokenOf()
    const [accepted, revoked] = await Promise.all([accept(token), revoke(id)])
    const hasAccount = (await server.services.users.findByEmail(email)) !== undefined
    expect([accepted.status, revoked.status, hasAccount]).toEqual(hasAccount ? [201, 409, true] : [403, 200, false])
  })
})

describe('roles', () => {
  test('admins invite users and admins, super admins anybody', async () => {
    const { status, error } = await create({ role: 'super_admin' })
    expect([status, error.code]).toEqual([403, 'forbidden'])
    const { id } = await invite({ role: 'super_admin' }, superAdmin)
    expect((await resend(id)).error.code).toBe('forbidden')
    expect((await revoke(id)).error.code).toBe('forbidden')
    expect((await resend(id, superAdmin)).status).toBe(200)
    expect((await accept(await tokenOf())).data.user.role).toBe('super_admin')
  })

  test.each([
    ['was deactivated', (id: string) => server.services.users.update(id, { isActive: false })],
    ['was demoted', (id: string) => server.services.users.update(id, { role: 'user' })],
    ['was deleted', (id: string) => server.services.users.remove(id)],
  ])('an invitation is void when who invited %s', async (_, end) => {
    const inviter = await server.createSignedIn({ role: 'admin' })
    await invite({}, inviter.accessToken)
    const token = await tokenOf()
    expect((await check(token)).status).toBe(200)
    await end(inviter.id)
    expect(refusal(await accept(token))).toEqual(invalid)
    expect(await server.services.users.findByEmail(email)).toBeUndefined()
    expect(await stateOf()).toBe('revoked')
    expect(await auditOf('invitation.revoke')).toMatchObject([{ details: 'who invited may no longer give the role' }])
    expect((await create()).status).toBe(201)
  })

  test('who resends an invitation stands for it from then on', async () => {
    const inviter = await server.createSignedIn({ role: 'admin' })
    const { id } = await invite({}, inviter.accessToken)
    await resend(id)
    await server.services.users.remove(inviter.id)
    expect((await accept(await tokenOf())).status).toBe(201)
  })
})

describe('resending', () => {
  test('mails a new link, voids the old one and starts the time anew', async () => {
    const { id, expires_at } = await invite({ days: 3 })
    const old = await tokenOf()
    server.clock.advance(60_000)
    const { invitation } = (await resend(id)).data
    expect(Date.parse(invitation.expires_at) - Date.parse(expires_at)).toBeGreaterThanOrEqual(60_000)
    expect(Date.parse(invitation.expires_at) - Date.parse(invitation.sent_at)).toBe(3 * dayMs)
    expect(await mailsTo(server, email)).toHaveLength(1)
    expect(refusal(await check(old))).toEqual(invalid)
    expect((await check(await tokenOf())).status).toBe(200)
    expect(await auditOf('invitation.resend')).toHaveLength(1)
  })

  test('revives an expired invitation, unless the address has another', async () => {
    const { id } = await invite({ days: 1 })
    server.clock.advance(dayMs)
    admin = (await server.createSignedIn({ role: 'admin' })).accessToken
    superAdmin = (await server.createSignedIn({ role: 'super_admin' })).accessToken
    expect((await find(email, 'expired')).total).toBe(1)
    expect((await resend(id)).data.invitation.state).toBe('pending')
    server.clock.advance(dayMs)
    admin = (await server.createSignedIn({ role: 'admin' })).accessToken
    expect((await revoke(id)).error.error).toBe('This invitation has expired already.')
    await invite()
    expect((await resend(id)).error.code).toBe('conflict')
  })

  test('is possible five times an hour', async () => {
    const { id } = await invite()
    for (let times = 0; times < 5; times += 1) expect((await resend(id)).status).toBe(200)
    expect((await resend(id)).error.code).toBe('rate_limited')
  })

  test('is a conflict once it was accepted or revoked, or the address registered; unknown ones are not found', async () => {
    const { id } = await invite()
    expect((await revoke(id)).data.message).toBe('Invitation revoked')
    expect([(await resend(id)).error.code, (await revoke(id)).error.code]).toEqual(['conflict', 'conflict'])
    const again = await invite()
    await server.call(api.auth.signUp, { body: { email, username, password } })
    expect((await resend(again.id)).error.error).toBe('This address has an account by now.')
    const unknown = 'f'.repeat(24)
    expect([(await resend(unknown)).error.code, (await revoke(unknown)).error.code]).toEqual(['not_found', 'not_found'])
  })
})

test('an expired link is void', async () => {
  await invite({ days: 1 })
  const token = await tokenOf()
  server.clock.advance(dayMs)
  expect(refusal(await check(token))).toEqual(invalid)
})

test('a revoked link is void, and its mail is gone', async () => {
  const { id } = await invite()
  const token = await tokenOf()
  await revoke(id)
  expect(refusal(await check(token))).toEqual(invalid)
  expect(refusal(await accept(token))).toEqual(invalid)
  expect(await mailsTo(server, email)).toEqual([])
  expect(await auditOf('invitation.revoke')).toHaveLength(1)
})

test('the list is searched by address and name, and filtered by state', async () => {
  const { id } = await invite({ first_name: `Name${count}x` })
  expect((await find(`name${count}X`)).invitations.map((each) => each.id)).toEqual([id])
  expect((await find(email, 'pending')).total).toBe(1)
  for (const state of ['expired', 'accepted', 'revoked'] as const) expect((await find(email, state)).total).toBe(0)
})

test('where registration is closed nobody is invited and nobody accepts; by invitation and by domain they do', async () => {
  const { id } = await invite()
  const token = await tokenOf()
  const set = (registration: 'open' | 'invitation' | 'closed' | 'domains') =>
    server.call(api.signInAdmin.changeSettings, {
      body: { registration, registration_domains: ['example.com'] },
      token: superAdmin,
    })
  await set('closed')
  const csv = 'email\nsomebody@example.org'
  const refused = [
    await create({ email: 'somebody@example.org' }),
    await resend(id),
    await server.call(api.invitations.previewImport, { body: { csv }, token: admin }),
    await server.call(api.invitations.import, { body: { csv }, token: admin }),
    await accept(token),
  ]
  expect(refused.map(({ error }) => error.code)).toEqual(Array(5).fill('registration_closed'))
  await set('domains')
  expect((await resend(id)).status).toBe(200)
  await set('invitation')
  expect((await accept(await tokenOf())).status).toBe(201)
  await set('open')
})

test('deleting an account removes its invitation', async () => {
  await invite()
  const { user } = (await accept(await tokenOf())).data
  await server.call(api.admin.deleteUser, { params: { id: user.id }, token: admin })
  expect((await find()).total).toBe(0)
})
