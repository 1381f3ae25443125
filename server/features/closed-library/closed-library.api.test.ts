import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { api, listEndpoints } from '#contract/api.ts'
import { enableTwoFactor, mailsTo, newestMail, signIn, totp } from '#testing/accounts.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'
import { uploadDialogue } from '#testing/uploads.ts'

/** What a user may do while the library is closed: calls about the account itself. */
const accountCalls = [
  'profile.get',
  'profile.update',
  'profile.getNotifications',
  'profile.changeNotifications',
  'profile.changePassword',
  'profile.confirmPassword',
  'profile.openLibrary',
  'profile.stopEmailChange',
  'profile.enableTwoFactor',
  'profile.verifyTwoFactor',
  'profile.disableTwoFactor',
  'profile.renewBackupCodes',
  'profile.listSessions',
  'profile.endSession',
  'profile.endAllSessions',
  'passkeys.list',
  'passkeys.remove',
  'passkeys.beginProof',
  'passkeys.openLibrary',
]
const former = 'Former-harvest8!'
const temporary = 'Given-harvest8!'
const second = 'Second-harvest8!'

let server: TestServer
let superAdmin: SignedInUser
let user: SignedInUser
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  superAdmin = await server.createSignedIn({ role: 'super_admin' })
  user = await server.createSignedIn()
  await server.services.users.update(user.id, { lastLoginAt: new Date(server.clock.now()) })
})

function resetPassword(body: { new_password: string; open_library?: boolean }, { id } = user) {
  return server.call(api.superAdmin.resetPassword, { params: { id }, body, token: superAdmin.accessToken })
}

function openAsSuperAdmin(id = user.id) {
  return server.call(api.recovery.openLibrary, { params: { id }, token: superAdmin.accessToken })
}

function openAsOwner(body: { password?: string; code?: string }, token: string) {
  return server.call(api.profile.openLibrary, { body, token })
}

/** Signs in with a password set by an administrator and chooses a new one. Returns the session's token. */
async function signInAndChoose(password: string): Promise<string> {
  const { access_token: token } = await signIn(server, { email: user.email, password })
  const body = { current_password: password, new_password: second }
  return (await server.call(api.profile.changePassword, { body, token })).data.access_token
}

/** Returns what the library answers: `open`, or the code of the refusal. */
async function libraryOf(token: string): Promise<string> {
  const { status, raw } = await server.call(api.recordings.list, { token })
  return status === 200 ? 'open' : (raw as { code: string }).code // our own error body
}

async function auditOf(action: string) {
  const query = { search: user.email, action }
  return (await server.call(api.admin.audit, { query, token: superAdmin.accessToken })).data.events
}

describe('a closed library', () => {
  const libraryCalls = listEndpoints().filter(
    ({ name, spec }) => spec.access === 'user' && !accountCalls.includes(name),
  )

  test('refuses every call that is not about the account', async () => {
    await resetPassword({ new_password: temporary })
    const token = await signInAndChoose(temporary)
    const outcomes = []
    for (const { name, spec } of libraryCalls) {
      const params = { id: 'f'.repeat(24), recording_id: 'f'.repeat(24), user_id: 'f'.repeat(24), category: 'custom' }
      const { status, raw } = await server.call(spec, {
        params: { ...params, version_id: 'f'.repeat(24), note_id: 'f'.repeat(24), hit_key: 'x' },
        ...(spec.body && { body: {} }),
        token,
      } as never) // specs lose their types in a list
      outcomes.push([name, status, (raw as { code?: string }).code])
    }
    expect(outcomes).toEqual(libraryCalls.map(({ name }) => [name, 403, 'library_closed']))
  })

  test('is closed to API keys that were made before as well', async () => {
    const key = (
      await server.call(api.integrations.createKey, {
        body: { name: 'Script', scope: 'read', expires_at: new Date(server.clock.now() + 86_400_000).toISOString() },
        token: user.accessToken,
      })
    ).data.token
    expect((await server.call(api.recordings.list, { token: key })).status).toBe(200)
    await resetPassword({ new_password: temporary })
    // The password must be changed first, as in every session.
    expect((await server.call(api.recordings.list, { token: key })).error.code).toBe('password_change_required')
    await signInAndChoose(temporary)
    expect((await server.call(api.recordings.list, { token: key })).error.code).toBe('library_closed')
  })

  test('leaves the account usable, and says what opens it', async () => {
    await enableTwoFactor(server, user.accessToken)
    await resetPassword({ new_password: temporary })
    await server.services.users.update(user.id, { twoFactor: null })
    const token = await signInAndChoose(temporary)
    expect((await server.call(api.profile.get, { token })).data.user.library_closure).toEqual({
      closed_at: expect.stringMatching(/Z$/),
      reason: 'password',
      proofs: ['password', 'code'],
      former_email: null,
      needs_password: false,
    })
    const body = { first_name: 'Zarghuna' }
    expect((await server.call(api.profile.update, { body, token })).status).toBe(200)
  })

  test('is told to the owner, whatever mails they chose, to the super admins and in the audit trail', async () => {
    const notifications = { email: false, securityAlerts: false }
    await server.services.users.update(user.id, { notifications })
    await resetPassword({ new_password: temporary })
    expect((await newestMail(server, user.email, 'Your library is closed')).text).toContain('set a new password')
    const notice = await newestMail(server, superAdmin.email, 'A library was closed')
    expect(notice.text).toContain(user.email)
    expect(notice.text).toContain(`Done by: ${superAdmin.email}`)
    expect(await auditOf('library.close')).toMatchObject([{ actor: superAdmin.email, details: 'password' }])
  })

  test('does not close an account that a super admin created and nobody has used', async () => {
    const created = await server.createUser({ mustChangePassword: true })
    await resetPassword({ new_password: temporary }, { ...user, ...created })
    expect((await signIn(server, { email: created.email, password: temporary })).user.library_closure).toBeNull()
  })
})

describe('its owner opens it', () => {
  test('by signing in as before, after a reset of two-factor', async () => {
    const recordingId = await uploadDialogue(server, user.accessToken)
    await enableTwoFactor(server, user.accessToken)
    const admin = await server.createSignedIn({ role: 'admin' })
    const input = { params: { id: user.id }, body: { reason: 'Lost the phone' }, token: admin.accessToken }
    expect((await server.call(api.admin.resetTwoFactor, input)).data.user.library_closure).toMatchObject({
      reason: 'two_factor',
    })
    const session = await signIn(server, user)
    expect(session.user.library_closure).toBeNull()
    const read = await server.call(api.recordings.get, { params: { id: recordingId }, token: session.access_token })
    expect(read.status).toBe(200)
    expect(await auditOf('library.open')).toMatchObject([{ actor: user.email, details: 'password' }])
  })

  test('by a code of the authenticator app at the next sign-in, after a reset of the password', async () => {
    const { secret } = await enableTwoFactor(server, user.accessToken)
    await resetPassword({ new_password: temporary })
    const code = { totp_token: await totp(server, secret, 1) }
    const session = await signIn(server, { email: user.email, password: temporary, ...code })
    expect(session.user.library_closure).toBeNull()
  })

  test.each(['password', 'code', 'backup code'])('by a former %s that they enter', async (kind) => {
    const { secret, backupCodes } = await enableTwoFactor(server, user.accessToken)
    await resetPassword({ new_password: temporary })
    await server.services.users.update(user.id, { twoFactor: null })
    const token = await signInAndChoose(temporary)
    const other = (await signIn(server, { email: user.email, password: second })).access_token
    expect(await libraryOf(token)).toBe('library_closed')
    const codes: Record<string, string> = { code: await totp(server, secret, 1), 'backup code': backupCodes[0] ?? '' }
    const proof = kind === 'password' ? { password: user.password } : { code: codes[kind] ?? '' }
    expect((await openAsOwner(proof, token)).data.user.library_closure).toBeNull()
    expect(await libraryOf(token)).toBe('open')
    expect((await server.call(api.profile.get, { token: other })).status).toBe(401)
    expect((await newestMail(server, user.email, 'Your library is open again')).text).toContain('before the reset')
  })

  test('by nothing else', async () => {
    await resetPassword({ new_password: temporary })
    const token = await signInAndChoose(temporary)
    expect((await openAsOwner({}, token)).error.code).toBe('invalid_input')
    for (const password of [temporary, second]) {
      expect((await openAsOwner({ password }, token)).error.code).toBe('wrong_password')
    }
    for (const code of ['123456', 'ABCDEFGH', 'x']) {
      expect((await openAsOwner({ code }, token)).error.code).toBe('wrong_code')
    }
    expect(await libraryOf(token)).toBe('library_closed')
    expect(await auditOf('library.open')).toHaveLength(5)
  })

  test('within ten tries a day, in however many sessions', async () => {
    await resetPassword({ new_password: temporary })
    let token = await signInAndChoose(temporary)
    for (let tries = 0; tries < 10; tries += 1) {
      if (tries % 3 === 2) token = (await signIn(server, { email: user.email, password: second })).access_token
      expect((await openAsOwner({ code: '123456' }, token)).error.code).toBe('wrong_code')
    }
    expect((await openAsOwner({ password: user.password }, token)).error.code).toBe('rate_limited')
  })

  test('not by signing in with the former password set again, which would be a try that nobody counts', async () => {
    const change = async (current: string, chosen: string, token: string) => {
      const body = { current_password: current, new_password: chosen }
      expect((await server.call(api.profile.changePassword, { body, token })).status).toBe(200)
    }
    await change(user.password, former, user.accessToken)
    await resetPassword({ new_password: temporary })
    await change(second, former, await signInAndChoose(temporary))
    const { access_token: token } = await signIn(server, { email: user.email, password: former })
    expect(await libraryOf(token)).toBe('library_closed')
    expect((await openAsOwner({ password: former }, token)).status).toBe(200)
  })

  test.each(['password', 'code'])('not by signing in with the former %s at another address', async (kind) => {
    const { secret } = await enableTwoFactor(server, user.accessToken)
    const email = `other-${user.email}`
    const input = { params: { id: user.id }, body: { email }, token: superAdmin.accessToken }
    expect((await server.call(api.admin.updateUser, input)).status).toBe(200)
    await server.call(api.recovery.applyEmailChange, { ...input, body: undefined })
    await server.services.users.update(user.id, { isVerified: true, ...(kind === 'password' && { twoFactor: null }) })
    const code = kind === 'code' ? { totp_token: await totp(server, secret, 1) } : {}
    const { access_token: token } = await signIn(server, { email, password: user.password, ...code })
    expect(await libraryOf(token)).toBe('library_closed')
    expect((await openAsOwner({ password: user.password }, token)).status).toBe(200)
  })

  test('not by a password that an administrator had chosen', async () => {
    await resetPassword({ new_password: temporary })
    await openAsSuperAdmin()
    await resetPassword({ new_password: second })
    const { access_token: token } = await signIn(server, { email: user.email, password: second })
    const body = { current_password: second, new_password: 'Third-harvest8!' }
    const changed = (await server.call(api.profile.changePassword, { body, token })).data
    expect(changed.user.library_closure?.proofs).toEqual([])
    expect((await openAsOwner({ password: temporary }, changed.access_token)).error.code).toBe('wrong_password')
  })

  test('not in a session that a passkey began, where the password may be somebody else’s', async () => {
    await resetPassword({ new_password: temporary })
    await server.services.users.update(user.id, { mustChangePassword: false })
    const origin = { ip: '127.0.0.1', userAgent: 'test', requestId: 'test' }
    const options = { userId: user.id, isRemembered: false, isBrowser: false, isByPasskey: true, origin }
    const { accessToken } = await server.services.sessions.start(options)
    expect((await openAsOwner({ password: user.password }, accessToken)).error.code).toBe('conflict')
    const needsPassword = async (token: string) =>
      (await server.call(api.profile.get, { token })).data.user.library_closure?.needs_password
    expect(await needsPassword(accessToken)).toBe(true)
    const body = { password: temporary }
    const { access_token: token } = (await server.call(api.profile.confirmPassword, { body, token: accessToken })).data
    expect(await needsPassword(token)).toBe(false)
    expect((await openAsOwner({ password: user.password }, token)).status).toBe(200)
  })

  test('only where it is closed', async () => {
    expect((await openAsOwner({ password: user.password }, user.accessToken)).error.code).toBe('conflict')
  })
})

describe('a super admin opens it', () => {
  test('which ends all sessions, is audited and told to the owner', async () => {
    await resetPassword({ new_password: temporary })
    const token = await signInAndChoose(temporary)
    expect((await openAsSuperAdmin()).data.user.library_closure).toBeNull()
    expect((await server.call(api.profile.get, { token })).status).toBe(401)
    expect(await libraryOf((await signIn(server, { email: user.email, password: second })).access_token)).toBe('open')
    expect(await auditOf('library.open')).toMatchObject([{ actor: superAdmin.email, details: 'by a super admin' }])
    expect((await newestMail(server, user.email, 'Your library is open again')).text).toContain('super administrator')
  })

  test('in the act of setting a password, if they say so', async () => {
    await resetPassword({ new_password: temporary, open_library: true })
    const session = await signIn(server, { email: user.email, password: temporary })
    expect(session.user.library_closure).toBeNull()
    expect(await auditOf('admin.reset_password')).toMatchObject([{ details: 'library opened' }])
    expect((await mailsTo(server, user.email)).map(({ subject }) => subject)).toEqual(['Your password was changed'])
  })

  test('in that act also where an earlier reset had closed it', async () => {
    await resetPassword({ new_password: temporary })
    await resetPassword({ new_password: second, open_library: true })
    expect((await signIn(server, { email: user.email, password: second })).user.library_closure).toBeNull()
    expect(await auditOf('library.open')).toHaveLength(1)
  })

  test('but not where it is open, where nobody is, nor their own', async () => {
    expect((await openAsSuperAdmin()).error.code).toBe('conflict')
    expect((await openAsSuperAdmin('f'.repeat(24))).error.code).toBe('not_found')
    expect((await openAsSuperAdmin(superAdmin.id)).error.error).toBe(
      'You cannot open your own library. Please ask another super admin.',
    )
  })
})
