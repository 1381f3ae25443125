import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { signIn } from '#testing/accounts.ts'
import { startTestServer, type TestServer } from '#testing/server.ts'

const temporary = 'Given-harvest8!'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

describe('a reset', () => {
  test('closes it in its own write, and keeps the factors of before an earlier one', async () => {
    const { users, twoFactor } = server.services
    const user = await server.createUser()
    const before = await users.get(user.id)
    const closureOf = (email: string) => ({
      closedAt: new Date(server.clock.now()),
      reason: 'password' as const,
      former: { email, passwordHash: before.passwordHash, twoFactor: null, passkeys: [] },
    })
    const origin = { ip: '', userAgent: '', requestId: '' }
    const closure = closureOf('a@b.c')
    const changed = await users.setPassword(user.id, temporary, { mustChange: true, origin, closure })
    expect(changed).toMatchObject({ mustChangePassword: true, libraryClosure: closure })
    expect(changed.passwordHash).not.toBe(before.passwordHash)
    await twoFactor.disable(user.id, closureOf('d@e.f'))
    expect((await users.get(user.id)).libraryClosure?.former.email).toBe('a@b.c')
  })

  test('of their own password by a super admin does not close theirs', async () => {
    const superAdmin = await server.createSignedIn({ role: 'super_admin' })
    await server.services.users.update(superAdmin.id, { lastLoginAt: new Date(server.clock.now()) })
    const body = { new_password: temporary }
    const input = { params: { id: superAdmin.id }, body, token: superAdmin.accessToken }
    expect((await server.call(api.superAdmin.resetPassword, input)).status).toBe(200)
    const session = await signIn(server, { email: superAdmin.email, password: temporary })
    expect(session.user.library_closure).toBeNull()
  })
})
