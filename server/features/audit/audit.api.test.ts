import { afterAll, beforeAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { signIn } from '#testing/accounts.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'

let server: TestServer
let admin: SignedInUser
beforeAll(async () => {
  server = await startTestServer()
  admin = await server.createSignedIn({ role: 'admin' })
})
afterAll(() => server.close())

async function search(query: { search?: string; action?: string; outcome?: 'failure' | 'unsuccessful' }) {
  return (await server.call(api.admin.audit, { query, token: admin.accessToken })).data.events
}

test('records sign-ins, failures and denials with actor, address and request', async () => {
  const user = await server.createUser()
  const { access_token: token } = await signIn(server, user)
  await server.call(api.auth.signIn, { body: { email: user.email, password: 'Wrong-moon7' } })
  await server.call(api.admin.stats, { token, headers: { 'X-Request-Id': 'request-for-test' } })
  const events = await search({ search: user.email })
  expect(events.map(({ action, outcome }) => `${action} ${outcome}`)).toEqual([
    'access.denied denied',
    'auth.signin failure',
    'auth.signin success',
  ])
  expect(events[0]).toMatchObject({ actor_id: user.id, ip_address: '127.0.0.1', request_id: 'request-for-test' })
  expect(await search({ search: user.email, outcome: 'failure' })).toHaveLength(1)
  expect(await search({ search: user.email, outcome: 'unsuccessful' })).toHaveLength(2)
  expect(await search({ search: user.email, action: 'access.denied' })).toHaveLength(1)
})

test('records the actions of admins', async () => {
  const { id, email } = await server.createUser()
  await server.call(api.admin.setRole, { params: { id }, body: { role: 'admin' }, token: admin.accessToken })
  expect(await search({ action: 'admin.role' })).toMatchObject([
    { actor: admin.email, target: email, details: 'user to admin', outcome: 'success' },
  ])
})

test('exports CSV and records the export', async () => {
  const answer = await server.call(api.admin.auditCsv, { query: {}, token: admin.accessToken })
  expect(answer.headers.get('Content-Type')).toBe('text/csv; charset=utf-8')
  const [head, first] = String(answer.raw).split('\r\n')
  expect(head).toBe(
    'at,action,outcome,actor,actor_id,target,ip_address,request_id,details,recording_id,recording_name,case_name',
  )
  expect(first).toContain(`audit.export,success,${admin.email}`)
})

test('never contains a password, a code or a token, and neither does the log', async () => {
  const user = await server.createUser()
  const { access_token: token, refresh_token: refreshToken } = await signIn(server, user)
  await server.call(api.auth.signIn, { body: { email: user.email, password: 'Wrong-secret7' } })
  await server.call(api.auth.verifyEmail, { body: { token: 'link-token-for-test' } })
  const csv = String((await server.call(api.admin.auditCsv, { query: {}, token: admin.accessToken })).raw)
  const written = csv + server.logLines.join('\n')
  for (const secret of [user.password, 'Wrong-secret7', 'link-token-for-test', token, refreshToken]) {
    expect(written).not.toContain(secret)
  }
})
