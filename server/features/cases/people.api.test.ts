import { afterAll, beforeAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { MemberRole } from '#contract/cases.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'

const { cases } = api
let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

async function createShared(owner: SignedInUser, members: { email: string }[], role: MemberRole = 'view') {
  const { data } = await server.call(cases.create, { token: owner.accessToken, body: { name: 'Bridge' } })
  for (const { email } of members) {
    const params = { id: data.id }
    await server.call(cases.setMember, { token: owner.accessToken, params, body: { email, role } })
  }
}

async function peopleOf({ accessToken: token }: SignedInUser) {
  const { data } = await server.call(cases.people, { token })
  return data.people.map(({ email }) => email)
}

test('the people with whom somebody shares cases are listed once by name, and nobody else', async () => {
  const [owner, other] = [await server.createSignedIn(), await server.createSignedIn()]
  const [first, second, stranger] = [
    await server.createSignedIn(),
    await server.createSignedIn(),
    await server.createSignedIn(),
  ]
  await createShared(owner, [second, first])
  await createShared(owner, [second])
  await createShared(other, [stranger])
  expect(await peopleOf(owner)).toEqual([first.email, second.email])
  expect(await peopleOf(second)).toEqual([owner.email, first.email])
  expect(await peopleOf(stranger)).toEqual([other.email])
})

test('people who cannot be added are not listed', async () => {
  const owner = await server.createSignedIn()
  const [gone, here] = [await server.createSignedIn(), await server.createSignedIn()]
  await createShared(owner, [gone, here])
  const admin = await server.createSignedIn({ role: 'admin' })
  const off = { params: { id: gone.id }, body: { is_active: false }, token: admin.accessToken }
  await server.call(api.admin.setStatus, off)
  expect(await peopleOf(owner)).toEqual([here.email])
})
