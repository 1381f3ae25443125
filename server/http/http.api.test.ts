import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { message } from '#testing/messages.ts'
import { signIn } from '#testing/accounts.ts'
import { startTestServer, type TestServer } from '#testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

function post(path: string, body: string, type = 'application/json') {
  return fetch(server.url + path, { method: 'POST', body, headers: { 'Content-Type': type } })
}

describe('responses', () => {
  test('carry the security headers and a request id, and are not cached', async () => {
    const { headers } = await server.call(api.system.config, { headers: { 'X-Request-Id': 'given-by-the-proxy' } })
    expect(headers.get('Content-Security-Policy')).toBe("default-src 'none'; frame-ancestors 'none'")
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff')
    expect(headers.get('Referrer-Policy')).toBe('no-referrer')
    expect(headers.get('Cache-Control')).toBe('no-store')
    expect(headers.get('X-Request-Id')).toBe('given-by-the-proxy')
    expect(headers.get('Strict-Transport-Security')).toBeNull()
    expect(headers.get('Access-Control-Allow-Origin')).toBeNull()
  })

  test.each([
    ['broken JSON', '{"email":', 'application/json', 400],
    ['a form', 'email=a%40b.cd', 'application/x-www-form-urlencoded', 400],
    ['too much', JSON.stringify({ email: 'x'.repeat(1_100_000) }), 'application/json', 413],
  ])('reject %s with an error body', async (_, body, type, status) => {
    const response = await post('/api/auth/signin', body, type)
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ error: expect.any(String), code: expect.any(String) })
  })

  test('are 404 for an unknown address and 405 for a wrong method', async () => {
    expect((await fetch(`${server.url}/api/nothing`)).status).toBe(404)
    const wrong = await fetch(`${server.url}/api/auth/signin`, { method: 'DELETE' })
    expect([wrong.status, (await wrong.json()) as unknown]).toMatchObject([405, { code: 'method_not_allowed' }])
  })
})

describe('the API page', () => {
  test('works offline, has no script, and names every endpoint', async () => {
    const page = await fetch(`${server.url}/api/docs`)
    const html = await page.text()
    expect(html).not.toMatch(/<script|https?:\/\//)
    expect(html).toContain('/api/auth/signin')
    const openApi = (await (await fetch(`${server.url}/api/docs/openapi.json`)).json()) as Record<string, object>
    expect(openApi.openapi).toBe('3.1.0')
    expect(openApi.paths).toHaveProperty(['/api/auth/keywords/{id}', 'delete', 'responses', '404'])
  })
})

describe('the first super admin', () => {
  test('gets a random password in a private file, must change it, and the file is deleted', async () => {
    const file = join(server.config.dataDir, 'initial-admin-password')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect((await stat(join(server.config.dataDir, 'secrets', 'master-key'))).mode & 0o777).toBe(0o600)
    const [email = '', password = ''] = (await readFile(file, 'utf8')).split('\n')
    expect(server.logLines.join('')).not.toContain(password)
    const { access_token: token, user } = await signIn(server, { email, password })
    expect(user).toMatchObject({ email: 'admin@awaz.local', role: 'super_admin', must_change_password: true })
    const blocked = await server.call(api.admin.stats, { token })
    expect([blocked.status, blocked.error.error]).toEqual([403, message('password-change-required')])
    const body = { current_password: password, new_password: 'Chosen-harvest8!' }
    const { access_token: renewed } = (await server.call(api.profile.changePassword, { body, token })).data
    await expect(stat(file)).rejects.toThrow('ENOENT')
    expect((await server.call(api.admin.stats, { token: renewed })).status).toBe(200)
  })
})

test('responds with 503 and Retry-After within five seconds when the database disconnects', async () => {
  const disconnected = await startTestServer()
  try {
    const { accessToken: token } = await disconnected.createSignedIn()
    await disconnected.services.database.connection.close()
    const startedAt = performance.now()
    const response = await disconnected.call(api.profile.get, { token })
    expect(performance.now() - startedAt).toBeLessThan(5000)
    expect([response.status, response.error.error]).toEqual([503, message('database-away')])
    expect(Number(response.headers.get('Retry-After'))).toBeGreaterThan(0)
    expect((await disconnected.call(api.system.health)).status).toBe(200)
    expect((await disconnected.call(api.system.ready)).status).toBe(503)
  } finally {
    await disconnected.close()
  }
})
