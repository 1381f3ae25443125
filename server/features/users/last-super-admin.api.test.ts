import { afterAll, beforeAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { defaultSignInSettings } from '#contract/sign-in-settings.ts'
import { message } from '#testing/messages.ts'
import { roundCount } from '#testing/rounds.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'
import type { AdminActionContext } from '../admin/service.ts'
import { toAuthUser } from '../sessions/authenticate.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const rounds = roundCount(50)

/** Creates two super admins and demotes all others. */
async function onlyTwo(): Promise<[SignedInUser, SignedInUser]> {
  const { users } = server.services
  const { rows } = await users.list({ search: '', role: 'super_admin' }, { page: 1, per_page: 100 })
  for (const { id } of rows) await users.update(id, { role: 'user' })
  return [await server.createSignedIn({ role: 'super_admin' }), await server.createSignedIn({ role: 'super_admin' })]
}

function revokeRights(actor: SignedInUser, target: SignedInUser, action: number) {
  const input = { params: { id: target.id }, token: actor.accessToken }
  if (action === 0) return server.call(api.superAdmin.setRole, { ...input, body: { role: 'user' } })
  if (action === 1) return server.call(api.admin.setStatus, { ...input, body: { is_active: false } })
  return server.call(api.superAdmin.deleteUser, input)
}

test(
  `two simultaneous requests never remove the last super admin (${rounds} rounds)`,
  { tags: ['rounds'] },
  async () => {
    for (let round = 0; round < rounds; round += 1) {
      const [one, two] = await onlyTwo()
      const answers = await Promise.all([revokeRights(one, two, round % 3), revokeRights(two, one, (round + 1) % 3)])
      const left = await server.services.users.countActiveSuperAdmins()
      expect({ round, left }).toEqual({ round, left: 1 })
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    }
  },
)

test('the last super admin cannot step down, nor be deleted', async () => {
  const [one, two] = await onlyTwo()
  expect((await revokeRights(one, two, 0)).status).toBe(200)
  for (const action of [0, 2]) {
    const { status, error } = await revokeRights(one, one, action)
    expect([status, error.error]).toEqual([409, message('super-admin-last')])
  }
})

test.each<[string, (context: AdminActionContext, id: string) => Promise<unknown>]>([
  ['demoted', (context, id) => server.services.admin.setRole(context, id, 'admin')],
  ['deactivated', (context, id) => server.services.admin.setStatus(context, id, false)],
  ['deleted', (context, id) => server.services.admin.remove(context, id, { canRemoveSuperAdmin: true })],
])('the last super admin is not %s by one who was let in and has lost the rights since', async (_, revoke) => {
  const [one, two] = await onlyTwo()
  const { users } = server.services
  const session = {
    id: 'f'.repeat(24),
    authenticatedAt: server.clock.now(),
    confirmedAt: server.clock.now(),
    hasEnteredPassword: true,
  }
  const origin = { ip: '127.0.0.1', userAgent: 'test', requestId: 'test' }
  const facts = { settings: defaultSignInSettings, now: server.clock.now() }
  const context = { user: toAuthUser(await users.get(one.id), facts), session, origin }
  await users.update(one.id, { role: 'user' })
  await expect(revoke(context, two.id)).rejects.toMatchObject({
    code: 'conflict',
    message: message('super-admin-last'),
  })
  expect(await users.get(two.id)).toMatchObject({ role: 'super_admin', isActive: true })
})
