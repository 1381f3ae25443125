import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { enableTwoFactor, newestMail, signIn } from '#testing/accounts.ts'
import { message } from '#testing/messages.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'

let server: TestServer
let admin: SignedInUser
let superAdmin: SignedInUser
let user: SignedInUser
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  admin = await server.createSignedIn({ role: 'admin' })
  superAdmin = await server.createSignedIn({ role: 'super_admin' })
  user = await server.createSignedIn()
})

function edit(actor: SignedInUser, id: string, body: Record<string, string>) {
  return server.call(api.admin.updateUser, { params: { id }, body, token: actor.accessToken })
}

function resetTwoFactor(actor: SignedInUser, id: string, reason = 'Lost the phone, known in person') {
  return server.call(api.admin.resetTwoFactor, { params: { id }, body: { reason }, token: actor.accessToken })
}

async function auditOf(target: string, action: string) {
  const query = { search: target, action }
  return (await server.call(api.admin.audit, { query, token: superAdmin.accessToken })).data.events
}

describe('editing a user', () => {
  test('changes names and username, and the audit trail names the fields', async () => {
    const body = { first_name: 'Zarghuna', last_name: 'Ana', username: 'zarghuna.ana' }
    expect((await edit(admin, user.id, body)).data.user).toMatchObject({ ...body, is_verified: true })
    expect((await server.call(api.profile.get, { token: user.accessToken })).status).toBe(200)
    expect(await auditOf(user.email, 'admin.update')).toMatchObject([{ details: 'first_name, last_name, username' }])
  })

  test('a link that went to the old address does not verify the new one', async () => {
    const { id, email } = await server.createUser({ isVerified: false })
    await server.call(api.auth.resendVerification, { body: { email } })
    const { token } = await newestMail(server, email, 'Verify your e-mail address')
    // As if the link had been created while the address changed: the change did not remove it.
    await server.services.users.update(id, { email: `other-${email}`, isVerified: false })
    expect((await server.call(api.auth.verifyEmail, { body: { token } })).error.error).toBe(
      message('verification-wrong'),
    )
  })

  test('names that were changed are audited, also where the address then turns out to be taken', async () => {
    const other = await server.createUser()
    const body = { first_name: 'Torpekai', email: other.email }
    expect((await edit(admin, user.id, body)).error.code).toBe('email_taken')
    expect(await auditOf(user.email, 'admin.update')).toMatchObject([{ details: 'first_name' }])
  })

  test('rejects taken and malformed values, changes of a super admin and of one’s own address', async () => {
    const other = await server.createUser()
    expect((await edit(admin, user.id, { email: other.email })).error.code).toBe('email_taken')
    expect((await edit(admin, user.id, { username: other.username })).error.code).toBe('username_taken')
    expect((await edit(admin, user.id, { username: '-x-' })).error.error).toBe(message('username-ends'))
    expect((await edit(admin, user.id, { email: 'nobody' })).error.error).toBe(message('email-malformed'))
    expect((await edit(admin, superAdmin.id, { first_name: 'x' })).error.error).toBe(message('super-admin-untouchable'))
    expect((await edit(admin, admin.id, { email: 'x@example.org' })).error.error).toBe(message('own-email'))
  })
})

describe('resetting two-factor', () => {
  test('permits signing in by password alone, with the reason in the audit trail and a mail to the user', async () => {
    await enableTwoFactor(server, user.accessToken)
    expect((await resetTwoFactor(admin, user.id)).data.user.two_factor_enabled).toBe(false)
    expect((await server.call(api.profile.get, { token: user.accessToken })).status).toBe(401)
    expect((await signIn(server, user)).user.two_factor_enabled).toBe(false)
    expect(await auditOf(user.email, 'admin.reset_2fa')).toMatchObject([
      { actor: admin.email, details: 'Lost the phone, known in person' },
    ])
    const mail = await newestMail(server, user.email, 'Two-factor authentication was switched off')
    expect(mail.text).toContain('switched off')
  })

  test('takes passkeys away too, also from somebody who has no other factor', async () => {
    await server.services.users.update(user.id, { hasPasskey: true })
    expect((await resetTwoFactor(admin, user.id)).data.user).toMatchObject({
      two_factor_enabled: false,
      has_passkey: false,
    })
    expect(await auditOf(user.email, 'admin.reset_2fa')).toHaveLength(1)
  })

  test('is rejected without a reason, without a factor, for a super admin and for oneself', async () => {
    expect((await resetTwoFactor(admin, user.id, ' ')).error.error).toBe(message('reason-missing'))
    expect((await resetTwoFactor(admin, user.id)).error.error).toBe(message('two-factor-disabled'))
    expect((await resetTwoFactor(admin, superAdmin.id)).error.error).toBe(message('super-admin-untouchable'))
    await enableTwoFactor(server, admin.accessToken)
    expect((await resetTwoFactor(admin, admin.id)).error.error).toBe(message('own-two-factor'))
  })
})

test('nobody changes their own role', async () => {
  const answers = await Promise.all(
    [admin, superAdmin].map((self) =>
      server.call(api.admin.setRole, { params: { id: self.id }, body: { role: 'user' }, token: self.accessToken }),
    ),
  )
  const params = { id: superAdmin.id }
  const body = { role: 'admin' as const }
  const asSuperAdmin = await server.call(api.superAdmin.setRole, { params, body, token: superAdmin.accessToken })
  for (const { status, error } of [...answers, asSuperAdmin])
    expect([status, error.error]).toEqual([409, message('own-role')])
  expect((await server.services.users.findById(superAdmin.id))?.role).toBe('super_admin')
})

test('lists users by state', async () => {
  const search = 'state.example'
  await server.createUser({ email: `plain@${search}` })
  await server.createUser({ email: `inactive@${search}`, isActive: false })
  await server.createUser({ email: `unverified@${search}`, isVerified: false })
  const secured = await server.createSignedIn({ email: `secured@${search}` })
  await enableTwoFactor(server, secured.accessToken)
  const emails = async (state: 'inactive' | 'unverified' | 'with_2fa' | 'without_2fa' | 'active') =>
    (await server.call(api.admin.listUsers, { query: { search, state }, token: admin.accessToken })).data.users
      .map(({ email }) => email.split('@')[0])
      .toSorted()
  expect(await emails('inactive')).toEqual(['inactive'])
  expect(await emails('unverified')).toEqual(['unverified'])
  expect(await emails('with_2fa')).toEqual(['secured'])
  expect(await emails('without_2fa')).toEqual(['inactive', 'plain', 'unverified'])
  expect(await emails('active')).toEqual(['plain', 'secured', 'unverified'])
})
