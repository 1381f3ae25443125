import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { mailsTo, newestMail, signIn } from '#testing/accounts.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'

const hourMs = 60 * 60_000

let server: TestServer
let admin: SignedInUser
let superAdmin: SignedInUser
let user: SignedInUser
let email: string
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  admin = await server.createSignedIn({ role: 'admin' })
  superAdmin = await server.createSignedIn({ role: 'super_admin' })
  user = await server.createSignedIn()
  email = `new-${user.email}`
})

function changeAddress(address = email) {
  return server.call(api.admin.updateUser, {
    params: { id: user.id },
    body: { email: address },
    token: admin.accessToken,
  })
}

async function addressNow(): Promise<string | undefined> {
  return (await server.services.users.findById(user.id))?.email
}

/** Lets the delay pass, and lets the server do the work that is due. */
async function passDelay(): Promise<void> {
  server.clock.advance(24 * hourMs + 1)
  await server.services.emailChanges.applyDue()
}

async function auditOf(target: string, action: string) {
  const token = (await signIn(server, superAdmin)).access_token
  return (await server.call(api.admin.audit, { query: { search: target, action }, token })).data.events
}

describe('a new address that an administrator gives', () => {
  test('waits for a day, of which the old address is told', async () => {
    const askedAt = server.clock.now()
    const { pending_email: pending, ...shown } = (await changeAddress()).data.user
    expect(shown).toMatchObject({ email: user.email, is_verified: true })
    expect(pending?.email).toBe(email)
    const effectiveAt = new Date(pending?.effective_at ?? 0)
    expect(effectiveAt.getTime()).toBeGreaterThanOrEqual(askedAt + 24 * hourMs)
    expect(effectiveAt.getTime()).toBeLessThanOrEqual(server.clock.now() + 24 * hourMs)
    expect((await server.call(api.profile.get, { token: user.accessToken })).status).toBe(200)
    const mail = await newestMail(server, user.email, 'Your e-mail address is going to change')
    expect(mail.text).toContain(email)
    expect(mail.text).toContain(effectiveAt.toISOString().slice(0, 10))
    expect(await mailsTo(server, email)).toEqual([])
    server.clock.advance(23 * hourMs)
    await server.services.emailChanges.applyDue()
    expect(await addressNow()).toBe(user.email)
    expect(await auditOf(user.email, 'admin.update')).toMatchObject([
      { actor: admin.email, details: `email to ${email} from ${effectiveAt.toISOString()}` },
    ])
  })

  test('then is verified by a link sent there, and ends sessions and codes of the old one', async () => {
    await changeAddress()
    server.clock.advance(24 * hourMs + 1)
    await server.call(api.auth.forgotPassword, { body: { email: user.email } })
    const { code } = await newestMail(server, user.email, 'Your password reset code')
    const session = await signIn(server, user)
    await server.services.emailChanges.applyDue()
    expect((await server.call(api.profile.get, { token: session.access_token })).status).toBe(401)
    const { data } = await server.call(api.auth.signIn, { body: { email, password: user.password } })
    expect(data).toMatchObject({ requires_verification: true })
    expect((await newestMail(server, user.email, 'Your e-mail address was changed')).text).toContain(email)
    const closed = await newestMail(server, user.email, 'Your library is closed')
    expect(closed.text).toContain(email)
    expect(closed.text).toContain('Sign in at the new address')
    const reset = { email, code, new_password: 'Chosen-harvest8!' }
    expect((await server.call(api.auth.resetPassword, { body: reset })).error.code).toBe('wrong_code')
    const { token } = await newestMail(server, email, 'Verify your e-mail address')
    expect((await server.call(api.auth.verifyEmail, { body: { token } })).status).toBe(200)
    expect((await signIn(server, { email, password: user.password })).user.pending_email).toBeNull()
    expect(await auditOf(user.email, 'address_change.apply')).toMatchObject([{ details: `email to ${email}` }])
  })

  test('begins its day again where another one takes its place', async () => {
    await changeAddress('first@example.org')
    server.clock.advance(12 * hourMs)
    const { access_token: token } = await signIn(server, admin)
    await server.call(api.admin.updateUser, { params: { id: user.id }, body: { email }, token })
    server.clock.advance(12 * hourMs + 1)
    await server.services.emailChanges.applyDue()
    expect(await addressNow()).toBe(user.email)
    server.clock.advance(12 * hourMs)
    await server.services.emailChanges.applyDue()
    expect(await addressNow()).toBe(email)
  })

  test('is given up where somebody else registered with it meanwhile', async () => {
    await changeAddress()
    await server.createUser({ email })
    await passDelay()
    expect(await server.services.users.findById(user.id)).toMatchObject({ email: user.email, pendingEmail: null })
    expect(await auditOf(user.email, 'address_change.apply')).toMatchObject([
      { outcome: 'failure', details: 'email_taken' },
    ])
  })
})

describe('it is given up when it is due', () => {
  const rightsEnd: [string, () => Promise<unknown>][] = [
    ['the administrator was demoted', () => server.services.users.update(admin.id, { role: 'user' })],
    ['the administrator was deactivated', () => server.services.users.update(admin.id, { isActive: false })],
    ['the administrator was deleted', () => server.services.users.remove(admin.id)],
    ['the user became a super admin', () => server.services.users.update(user.id, { role: 'super_admin' })],
  ]

  test.each(rightsEnd)('where %s meanwhile', async (_, endRights) => {
    await changeAddress()
    await endRights()
    await passDelay()
    expect(await server.services.users.findById(user.id)).toMatchObject({ email: user.email, pendingEmail: null })
    expect(await auditOf(user.email, 'address_change.apply')).toMatchObject([
      { outcome: 'failure', actor: admin.email, details: 'forbidden' },
    ])
  })

  test('without closing the library, where another account takes the address at the same moment', async () => {
    const other = await server.createSignedIn()
    await changeAddress()
    await server.call(api.admin.updateUser, { params: { id: other.id }, body: { email }, token: admin.accessToken })
    const apply = ({ id }: SignedInUser) =>
      server.call(api.recovery.applyEmailChange, { params: { id }, token: superAdmin.accessToken })
    const answers = await Promise.all([apply(user), apply(other)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const stored = await Promise.all([user, other].map(({ id }) => server.services.users.findById(id)))
    const closed = stored.filter((record) => record?.libraryClosure)
    expect(closed.map((record) => record?.email)).toEqual([email])
  })
})

test('what follows is done later where a server stopped right after the write', async () => {
  const access = await signIn(server, user)
  const stored = server.services.database.connection.collection('users')
  const at = new Date(server.clock.now())
  const appliedEmail = { email, formerEmail: user.email, hasClosed: true, actor: { email: admin.email }, at }
  await stored.updateOne({ email: user.email }, { $set: { email, isVerified: false, appliedEmail } })
  await server.services.emailChanges.applyDue()
  expect((await server.call(api.profile.get, { token: access.access_token })).status).toBe(200)
  server.clock.advance(61_000)
  await server.services.emailChanges.applyDue()
  expect((await server.call(api.profile.get, { token: access.access_token })).status).toBe(401)
  expect(await newestMail(server, user.email, 'Your library is closed')).toBeDefined()
  expect(await newestMail(server, user.email, 'Your e-mail address was changed')).toBeDefined()
  expect(await newestMail(server, email, 'Verify your e-mail address')).toBeDefined()
  expect(await auditOf(user.email, 'address_change.apply')).toMatchObject([{ actor: admin.email }])
  expect((await server.services.users.findById(user.id))?.appliedEmail).toBeNull()
})

test('one that fails does not keep back the others', async () => {
  await changeAddress('first@example.org')
  const other = await server.createSignedIn()
  await server.call(api.admin.updateUser, { params: { id: other.id }, body: { email }, token: admin.accessToken })
  const stored = server.services.database.connection.collection('users')
  await stored.updateOne({ email: user.email }, { $set: { 'pendingEmail.email': { damaged: true } } })
  server.clock.advance(24 * hourMs + 1)
  await expect(server.services.emailChanges.applyDue()).rejects.toThrow(user.id)
  expect((await server.services.users.findById(other.id))?.email).toBe(email)
  await stored.updateOne({ email: user.email }, { $set: { pendingEmail: null } })
})

describe('it is stopped', () => {
  test('by the link in the mail, without signing in, once', async () => {
    await changeAddress()
    const { token } = await newestMail(server, user.email, 'Your e-mail address is going to change')
    const stop = () => server.call(api.auth.stopEmailChange, { body: { token } })
    expect((await stop()).data.message).toBe('Your address stays as it is')
    expect((await stop()).error.code).toBe('wrong_code')
    await passDelay()
    expect(await addressNow()).toBe(user.email)
    expect(await auditOf(user.email, 'address_change.stop')).toMatchObject([
      { actor: user.email, details: `email to ${email}` },
    ])
  })

  test('not by the link of an earlier mail, which says where the newer change is stopped', async () => {
    await changeAddress('first@example.org')
    const { token } = await newestMail(server, user.email, 'Your e-mail address is going to change')
    await changeAddress()
    const { error } = await server.call(api.auth.stopEmailChange, { body: { token } })
    expect(error.error).toContain('use the link of the latest e-mail, or Profile Settings')
  })

  test('by the signed-in owner', async () => {
    await changeAddress()
    const stop = () => server.call(api.profile.stopEmailChange, { token: user.accessToken })
    expect((await stop()).data.user.pending_email).toBeNull()
    expect((await stop()).error.code).toBe('conflict')
    await passDelay()
    expect(await addressNow()).toBe(user.email)
  })

  test('by a super admin', async () => {
    await changeAddress()
    const input = { params: { id: user.id }, token: superAdmin.accessToken }
    expect((await server.call(api.recovery.stopEmailChange, input)).data.user.pending_email).toBeNull()
    expect((await server.call(api.recovery.stopEmailChange, input)).error.code).toBe('conflict')
    const nobody = { ...input, params: { id: 'f'.repeat(24) } }
    expect((await server.call(api.recovery.stopEmailChange, nobody)).error.code).toBe('not_found')
  })

  test.each(['', 'x', 'f'.repeat(24), `${'f'.repeat(24)}abc`])('not by the token "%s"', async (token) => {
    await changeAddress()
    expect((await server.call(api.auth.stopEmailChange, { body: { token } })).error.code).toBe('wrong_code')
    const withId = { token: user.id + token }
    expect((await server.call(api.auth.stopEmailChange, { body: withId })).error.code).toBe('wrong_code')
  })
})

describe('a super admin', () => {
  test('puts it into effect at once, which is audited', async () => {
    await changeAddress()
    const input = { params: { id: user.id }, token: superAdmin.accessToken }
    const { data } = await server.call(api.recovery.applyEmailChange, input)
    expect(data.user).toMatchObject({ email, is_verified: false, pending_email: null })
    expect(await auditOf(user.email, 'address_change.apply')).toMatchObject([{ actor: superAdmin.email }])
  })

  test('decides only about the address that they have seen', async () => {
    await changeAddress()
    const input = { params: { id: user.id }, token: superAdmin.accessToken }
    const seen = { email: 'seen@example.org' }
    const answers = [
      await server.call(api.recovery.applyEmailChange, { ...input, body: seen }),
      await server.call(api.recovery.stopEmailChange, { ...input, query: seen }),
    ]
    expect(answers.map(({ error }) => error.error)).toEqual(
      answers.map(() => 'Another address is waiting now. Please look at it first.'),
    )
    expect((await server.services.users.findById(user.id))?.pendingEmail?.email).toBe(email)
    expect((await server.call(api.recovery.applyEmailChange, { ...input, body: { email } })).status).toBe(200)
    await changeAddress(user.email)
    const stopped = await server.call(api.recovery.stopEmailChange, { ...input, query: { email: user.email } })
    expect(stopped.data.user.pending_email).toBeNull()
  })

  test('cannot where none waits, where it is taken, or where nobody is', async () => {
    const apply = (id: string) =>
      server.call(api.recovery.applyEmailChange, { params: { id }, token: superAdmin.accessToken })
    expect((await apply(user.id)).error.code).toBe('conflict')
    expect((await apply('f'.repeat(24))).error.code).toBe('not_found')
    await changeAddress()
    await server.createUser({ email })
    expect((await apply(user.id)).error.code).toBe('email_taken')
    expect((await server.services.users.findById(user.id))?.libraryClosure ?? null).toBeNull()
  })
})
