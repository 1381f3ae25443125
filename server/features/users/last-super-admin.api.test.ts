import { afterAll, beforeAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { userModel } from '#data/users/user-model.ts'
import { message } from '#testing/messages.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const rounds = 50

/** Exactly these two are super admins. */
async function onlyTwo(): Promise<[SignedInUser, SignedInUser]> {
  await userModel(server.services.database.connection).updateMany({ role: 'super_admin' }, { $set: { role: 'user' } })
  return [await server.createSignedIn({ role: 'super_admin' }), await server.createSignedIn({ role: 'super_admin' })]
}

function takeAway(actor: SignedInUser, target: SignedInUser, deed: number) {
  const input = { params: { id: target.id }, token: actor.accessToken }
  if (deed === 0) return server.call(api.superAdmin.setRole, { ...input, body: { role: 'user' } })
  if (deed === 1) return server.call(api.admin.setStatus, { ...input, body: { is_active: false } })
  return server.call(api.superAdmin.deleteUser, input)
}

test(`two simultaneous requests never remove the last super admin (${rounds} rounds)`, async () => {
  const connection = server.services.database.connection
  for (let round = 0; round < rounds; round += 1) {
    const [one, two] = await onlyTwo()
    const answers = await Promise.all([takeAway(one, two, round % 3), takeAway(two, one, (round + 1) % 3)])
    const left = await userModel(connection).countDocuments({ role: 'super_admin', isActive: true })
    expect({ round, left }).toEqual({ round, left: 1 })
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  }
})

test('the last super admin cannot step down, nor be deleted', async () => {
  const [one, two] = await onlyTwo()
  expect((await takeAway(one, two, 0)).status).toBe(200)
  for (const deed of [0, 2]) {
    const { status, error } = await takeAway(one, one, deed)
    expect([status, error.error]).toEqual([409, message('super-admin-last')])
  }
})
