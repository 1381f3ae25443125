import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { signIn } from '#testing/accounts.ts'
import { message } from '#testing/messages.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'

let server: TestServer
let superAdmin: SignedInUser
beforeAll(async () => {
  server = await startTestServer()
  superAdmin = await server.createSignedIn({ role: 'super_admin' })
})
afterAll(() => server.close())

let created = 0
const person = () => {
  created += 1
  return { email: `somebody${created}@example.org`, username: `somebody${created}`, password: 'Harvest-moon7' }
}

const forms = {
  registration: (names: object) => server.call(api.auth.signUp, { body: { ...person(), ...names } }),
  'a user created by a super admin': (names: object) =>
    server.call(api.superAdmin.createUser, {
      body: { ...person(), role: 'user' as const, ...names },
      token: superAdmin.accessToken,
    }),
  profile: async (names: object) => {
    const { accessToken: token } = await server.createSignedIn()
    return server.call(api.profile.update, { body: names, token })
  },
}

describe.each(Object.entries(forms))('%s rejects', (_, save) => {
  test.each([
    ['.', 'username-ends'],
    ['-', 'username-ends'],
    ['admin.', 'username-ends'],
    ['аdmin', 'username-script'],
    ['ad\u202Emin', 'username-characters'],
    ['ad\u200Bmin', 'username-characters'],
    ['ad\0min', 'username-characters'],
    ['ADMIN', 'signup-username-taken'],
    ['ａｄｍｉｎ', 'signup-username-taken'],
    ['admın', 'signup-username-taken'],
  ] as const)('the username %j', async (username, situation) => {
    const { status, error } = await save({ username })
    expect([status, error.error]).toEqual([situation === 'signup-username-taken' ? 409 : 400, message(situation)])
  })

  test.each(['Na\u202Edia', 'Na\u200Bdia', 'Na\0dia', 'Na\u200Cdia'])('the name %j', async (first_name) => {
    const { status, error } = await save({ first_name })
    expect([status, error.error]).toEqual([400, message('name-invisible')])
  })
})

describe.each(['registration', 'a user created by a super admin'] as const)('%s rejects', (form) => {
  test.each(['a\0b@c.de', 'a\u202Eb@c.de', 'a\u200Bb@c.de', 'a@b\u200B.de'])('the address %j', async (email) => {
    const { status, error } = await forms[form]({ email })
    expect([status, error.error]).toEqual([400, message('email-malformed')])
  })
})

describe.each(['registration', 'a user created by a super admin'] as const)('%s rejects the look-alike', (form) => {
  test.each([
    ['аdmin@example.org', 'email-script'],
    ['admin@exаmple.org', 'email-script'],
    ['роса@example.org', 'email-look-alike'],
    ['admin@аррӏе.com', 'email-look-alike'],
  ])('%s', async (email, situation) => {
    const { status, error } = await forms[form]({ email })
    expect([status, error.error, error.fields]).toEqual([400, message(situation), { email: [message(situation)] }])
  })
})

test.each(['زرغونه@مثال.افغانستان', 'иван@пример.рф', 'صدیقی@example.org', 'анна@example.org'])(
  'registers the address %s',
  async (email) => {
    const { status, data } = await forms.registration({ email })
    expect([status, data.user]).toMatchObject([201, { email }])
  },
)

test.each([
  ['زرغونه_احمدزی', 'زرغونه', 'احمدزۍ'],
  ['امیر۷', 'امیر\u200Cحسین', 'بی\u200Cبی'],
  ['عائشہ', 'عائشہ', 'صدیقی'],
  ['محمد.علي', 'مُحَمَّد', 'عليّ'],
])('accepts the names %s, %s %s', async (username, first_name, last_name) => {
  const { status, data } = await forms.registration({ username, first_name, last_name })
  expect([status, data.user]).toMatchObject([201, { username, first_name, last_name }])
})

describe('a user from before these rules', () => {
  test('signs in, and keeps the name when other fields change', async () => {
    const old = await server.createUser({ email: 'a\u200Bb@example.org', username: 'odd..name.' })
    await server.services.users.update(old.id, { firstName: 'Na\u200Bdia', usernameKey: 'odd..name.' })
    const { access_token: token, user } = await signIn(server, old)
    const body = { first_name: user.first_name, last_name: 'Khan', username: user.username, email: user.email }
    const changed = await server.call(api.profile.update, { body, token })
    expect(changed.data.user).toMatchObject({ ...body })
    const other = await server.call(api.profile.update, { body: { username: 'odd..name' }, token })
    expect(other.error.error).toBe(message('username-ends'))
  })

  test('whose key is the lowercase name keeps it exclusively', async () => {
    const old = await server.createUser({ username: 'علي' })
    await server.services.users.update(old.id, { usernameKey: 'علي' })
    expect((await forms.registration({ username: 'علي' })).error.error).toBe(message('signup-username-taken'))
    expect((await forms.profile({ username: 'علي' })).error.error).toBe(message('signup-username-taken'))
  })
})
