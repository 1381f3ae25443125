import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { enablePrintedCodes, enableTwoFactor, mailsTo, newestMail, signIn, totp } from '#testing/accounts.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'
import { uploadDialogue } from '#testing/uploads.ts'

// Everything an administrator can do to take over an account, in every order: none gives access to a recording. The attacker
// has the administrator's account and the mailbox of the new address, but none of the owner's passwords, codes or passkeys.

const dayMs = 24 * 60 * 60_000
const given = 'Given-harvest8!'
const chosen = 'Claimed-harvest8!'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

interface Victim {
  owner: SignedInUser
  recordingId: string
  mailbox: string
  adminAccount: SignedInUser
  /** Outcomes of the attempts to read the recording. */
  read: string[]
}

type Step = 'address' | 'two_factor' | 'reset_code' | 'password' | 'sign_in'

const steps: Record<Step, (victim: Victim) => Promise<void>> = {
  async address({ owner, mailbox, adminAccount }) {
    const { access_token: token } = await signIn(server, adminAccount)
    await server.call(api.admin.updateUser, { params: { id: owner.id }, body: { email: mailbox }, token })
    server.clock.advance(dayMs + 1)
    await server.services.emailChanges.applyDue()
  },
  async two_factor({ owner, adminAccount }) {
    const { access_token: token } = await signIn(server, adminAccount)
    const body = { reason: 'Lost the phone' }
    await server.call(api.admin.resetTwoFactor, { params: { id: owner.id }, body, token })
  },
  async reset_code({ owner, mailbox }) {
    for (const email of [owner.email, mailbox]) await server.call(api.auth.forgotPassword, { body: { email } })
    const code = (await mailsTo(server, mailbox)).findLast((mail) => mail.code !== '')?.code
    const body = { email: mailbox, code: code ?? '000000', new_password: chosen }
    await server.call(api.auth.resetPassword, { body })
    const token = (await mailsTo(server, mailbox)).findLast(({ subject }) => subject.startsWith('Verify'))?.token
    if (token) await server.call(api.auth.verifyEmail, { body: { token } })
  },
  async password({ owner, adminAccount }) {
    const { access_token: token } = await signIn(server, adminAccount)
    const body = { new_password: chosen }
    const { status } = await server.call(api.superAdmin.resetPassword, { params: { id: owner.id }, body, token })
    expect(status).toBe(403)
  },
  async sign_in({ owner, mailbox, recordingId, read }) {
    for (const email of [owner.email, mailbox]) {
      const { raw } = await server.call(api.auth.signIn, { body: { email, password: chosen } })
      const token = (raw as { access_token?: string }).access_token // a refusal has none
      if (!token) continue
      const params = { id: recordingId }
      const answers = [
        await server.call(api.recordings.get, { params, token }),
        await server.call(api.audio.play, { params, token }),
        await server.call(api.search.find, { query: { q: 'call' }, token }),
        await server.call(api.profile.openLibrary, { body: { password: chosen }, token }),
        await server.call(api.recordings.get, { params, token }),
      ]
      read.push(...answers.map(({ status, raw: body }) => (status < 300 ? 'read' : (body as { code: string }).code)))
    }
  },
}

function permute<Item>(items: Item[]): Item[][] {
  if (items.length === 0) return [[]]
  return items.flatMap((item, at) => permute(items.toSpliced(at, 1)).map((rest) => [item, ...rest]))
}

/** Enables a second factor and returns a function that gives a code to sign in with. */
type EnableFactor = (token: string) => Promise<() => Promise<string>>

const factors: Record<'an authenticator' | 'a printed list', EnableFactor> = {
  async 'an authenticator'(token) {
    const { secret } = await enableTwoFactor(server, token)
    return () => totp(server, secret, 1)
  },
  async 'a printed list'(token) {
    const codes = await enablePrintedCodes(server, token)
    return async () => codes.pop() ?? ''
  },
}

async function createVictim(factor: keyof typeof factors = 'an authenticator'): Promise<Victim> {
  const owner = await server.createSignedIn()
  await factors[factor](owner.accessToken)
  const recordingId = await uploadDialogue(server, owner.accessToken)
  const adminAccount = await server.createSignedIn({ role: 'admin' })
  return { owner, recordingId, mailbox: `taken-${owner.email}`, adminAccount, read: [] }
}

const orders = permute<Step>(['address', 'two_factor', 'reset_code', 'sign_in'])

test.each(orders)('%s, %s, %s, %s does not reach a recording', async (...order) => {
  const victim = await createVictim()
  for (const step of [...order, 'sign_in', 'password', 'two_factor', 'reset_code', 'sign_in'] as const) {
    await steps[step](victim)
  }
  expect(victim.read).not.toContain('read')
  // The attacker does get into the account; only the library is closed.
  expect(new Set(victim.read)).toEqual(new Set(['library_closed', 'wrong_password']))
})

test('an owner without a second factor is as safe', async () => {
  const owner = await server.createSignedIn()
  const recordingId = await uploadDialogue(server, owner.accessToken)
  const adminAccount = await server.createSignedIn({ role: 'admin' })
  const victim: Victim = { owner, recordingId, mailbox: `taken-${owner.email}`, adminAccount, read: [] }
  for (const step of ['address', 'reset_code', 'sign_in'] as const) await steps[step](victim)
  expect(new Set(victim.read)).toEqual(new Set(['library_closed', 'wrong_password']))
})

test('what the attacker set does not become a former factor by another reset', async () => {
  const victim = await createVictim()
  for (const step of ['two_factor', 'address', 'reset_code'] as const) await steps[step](victim)
  const token = (await signIn(server, { email: victim.mailbox, password: chosen })).access_token
  const { secret } = await enableTwoFactor(server, token)
  await steps.two_factor(victim)
  await steps.sign_in(victim)
  const again = (await signIn(server, { email: victim.mailbox, password: chosen })).access_token
  const body = { code: await totp(server, secret, 1) }
  expect((await server.call(api.profile.openLibrary, { body, token: again })).error.code).toBe('wrong_code')
  expect(victim.read).not.toContain('read')
  expect((await newestMail(server, victim.owner.email, 'Your library is closed')).text).toContain('two-factor')
})

test.each([
  ['an authenticator', 'an authenticator'],
  ['an authenticator', 'a printed list'],
  ['a printed list', 'an authenticator'],
  ['a printed list', 'a printed list'],
] as const)(
  'of an owner with %s, a super admin who sets up %s and signs in by it reads nothing',
  async (before, own) => {
    const { owner, recordingId } = await createVictim(before)
    const { email } = owner
    const { accessToken } = await server.createSignedIn({ role: 'super_admin' })
    const input = { params: { id: owner.id }, token: accessToken }
    await server.call(api.admin.resetTwoFactor, { ...input, body: { reason: 'Lost the phone' } })
    await server.call(api.superAdmin.resetPassword, { ...input, body: { new_password: given } })
    const { access_token: first } = await signIn(server, { email, password: given })
    const choice = { current_password: given, new_password: chosen }
    const { access_token: token } = (await server.call(api.profile.changePassword, { body: choice, token: first })).data
    const nextCode = await factors[own](token)
    const session = await signIn(server, { email, password: chosen, totp_token: await nextCode() })
    expect(session.user.library_closure).not.toBeNull()
    const read = await server.call(api.recordings.get, { params: { id: recordingId }, token: session.access_token })
    expect(read.error.code).toBe('library_closed')
  },
)

describe('once the owner has opened the library at the new address', () => {
  /** Also returns the reset code that the attacker was sent before. The owner has no second factor. */
  async function openAsOwner(address?: 'present') {
    const owner = await server.createSignedIn()
    const recordingId = await uploadDialogue(server, owner.accessToken)
    const adminAccount = await server.createSignedIn({ role: 'admin' })
    const victim: Victim = { owner, recordingId, mailbox: `taken-${owner.email}`, adminAccount, read: [] }
    await steps.address(victim)
    const { token } = await newestMail(server, victim.mailbox, 'Verify your e-mail address')
    await server.call(api.auth.verifyEmail, { body: { token } })
    const session = await signIn(server, { email: victim.mailbox, password: owner.password })
    await server.call(api.auth.forgotPassword, { body: { email: victim.mailbox } })
    const { code } = await newestMail(server, victim.mailbox, 'Your password reset code')
    const body = { password: owner.password, ...(address && { address }) }
    const opened = await server.call(api.profile.openLibrary, { body, token: session.access_token })
    return { victim, opened, reset: { code, new_password: chosen } }
  }

  test('the address of before is the account’s again, and the mailbox of the new one gets in no more', async () => {
    const { victim, opened, reset } = await openAsOwner()
    expect(opened.data.user).toMatchObject({ email: victim.owner.email, is_verified: true, library_closure: null })
    for (const email of [victim.mailbox, victim.owner.email]) {
      expect((await server.call(api.auth.resetPassword, { body: { ...reset, email } })).error.code).toBe('wrong_code')
    }
    await steps.reset_code(victim)
    await steps.sign_in(victim)
    expect(victim.read).toEqual([])
    expect((await signIn(server, victim.owner)).user.library_closure).toBeNull()
  })

  test('both addresses and the super admins are told', async () => {
    const superAdmin = await server.createUser({ role: 'super_admin' })
    const { victim } = await openAsOwner()
    for (const email of [victim.mailbox, victim.owner.email]) {
      const { text } = await newestMail(server, email, 'Your library is open again')
      expect(text).toContain(`The e-mail address of the account is ${victim.owner.email}.`)
    }
    const notice = await newestMail(server, superAdmin.email, 'A library was opened again')
    expect(notice.text).toContain(`Account: ${victim.mailbox}.`)
  })

  test('the new address stays where the owner says that it is theirs', async () => {
    const { victim, opened } = await openAsOwner('present')
    expect(opened.data.user).toMatchObject({ email: victim.mailbox, library_closure: null })
    expect((await signIn(server, { email: victim.mailbox, password: victim.owner.password })).user.email).toBe(
      victim.mailbox,
    )
  })

  test('or where another account has that of before meanwhile', async () => {
    const { victim } = await openAsOwner('present')
    await steps.address({ ...victim, mailbox: `again-${victim.owner.email}` })
    await server.createUser({ email: victim.mailbox })
    const { accessToken: token } = await server.createSignedIn({ role: 'super_admin' })
    const input = { params: { id: victim.owner.id }, token }
    expect((await server.call(api.recovery.openLibrary, input)).error.error).toContain('Another account')
    const kept = await server.call(api.recovery.openLibrary, { ...input, body: { address: 'present' } })
    expect(kept.data.user).toMatchObject({ email: `again-${victim.owner.email}`, library_closure: null })
  })
})

test.each([
  ['opens the library', api.recovery.openLibrary, {}],
  ['sets a password and opens it', api.superAdmin.resetPassword, { new_password: given, open_library: true }],
] as const)('a super admin who %s gives the address of before back', async (_, spec, body) => {
  const victim = await createVictim()
  await steps.address(victim)
  const { accessToken: token } = await server.createSignedIn({ role: 'super_admin' })
  await server.call(spec, { params: { id: victim.owner.id }, body, token })
  expect(await server.services.users.get(victim.owner.id)).toMatchObject({
    email: victim.owner.email,
    libraryClosure: null,
  })
})
