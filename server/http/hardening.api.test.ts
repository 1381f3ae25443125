import { request } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { startTestServer, type TestServer } from '#testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

/** Sends the path unchanged; `fetch` forbids TRACE and resolves dots. */
function send(method: string, path: string): Promise<{ status: number; body: string }> {
  const { hostname, port } = new URL(server.url)
  return new Promise((resolve, reject) => {
    const sent = request(
      { hostname, port, method, path, headers: { Authorization: 'Bearer secret-token' } },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() }))
      },
    )
    sent.on('error', reject)
    sent.end()
  })
}

test.each(['/', '/api/auth/profile', '/api/auth/signin'])('TRACE of %s echoes nothing', async (path) => {
  const { status, body } = await send('TRACE', path)
  expect([404, 405, 501]).toContain(status)
  expect(body).not.toContain('secret-token')
})

test.each([
  '/.git/config',
  '/package.json',
  '/server/main.ts',
  '/data/secrets/master-key',
  '/secrets/master-key',
  '/../package.json',
  '/assets/../../package.json',
  '/..%2fpackage.json',
  '/%2e%2e/package.json',
  '/assets/',
  '/assets',
])('GET %s returns no file of the server and no directory listing', async (path) => {
  const { body } = await send('GET', path)
  expect(body).not.toMatch(/"dependencies"|repositoryformatversion|import .* from '#|Index of/)
  expect(body.length).toBeLessThan(20_000)
})

test('sets HSTS for a year and Secure cookies where the public URL is https', async () => {
  const secure = await startTestServer({ config: { publicUrl: 'https://awaz.example.org' } })
  try {
    const { email, password } = await secure.createUser()
    const headers = { Origin: 'https://awaz.example.org' }
    const response = await secure.call(api.auth.signIn, { body: { email, password }, headers })
    expect(response.headers.get('Strict-Transport-Security')).toBe('max-age=31536000')
    const cookies = response.headers.getSetCookie()
    expect(cookies.length).toBeGreaterThan(1)
    for (const cookie of cookies) expect(cookie).toMatch(/; HttpOnly; SameSite=Strict(?:; Max-Age=\d+)?; Secure$/)
  } finally {
    await secure.close()
  }
})
