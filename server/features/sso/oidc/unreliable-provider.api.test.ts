import { createServer, type RequestListener } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { openOidcCallback, startSingleSignOn, type SingleSignOn } from '../testing/single-sign-on.ts'

let sso: SingleSignOn
beforeAll(async () => {
  sso = await startSingleSignOn({ hasClaimsInUserinfo: true })
})
afterAll(() => sso.close())

/** Starts an HTTP server, stores it as a provider, and tries it. */
async function tryProvider(name: string, respond: RequestListener) {
  const server = createServer(respond)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const issuer = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
  const token = await sso.adminToken()
  const body = { kind: 'oidc', name, issuer, client_id: 'awaz' } as const
  const { provider } = (await sso.server.call(api.signInAdmin.createProvider, { token, body })).data
  const params = { id: provider.id }
  const tested = await sso.server.call(api.signInAdmin.testProvider, { token, params, body: {} })
  const started = await sso.server.call(api.sso.start, { params, body: {} })
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  return { details: tested.data.details.join(' '), code: started.error.code }
}

test('e-mail, names and groups may come from the userinfo endpoint', async () => {
  await sso.configure({ group_roles: [{ group: 'it', role: 'admin' }] })
  sso.oidc.people.set('nadia', { groups: ['it'], given_name: 'Nadia' })
  const { user } = await sso.signIn('nadia')
  expect(user).toMatchObject({ email: 'nadia@example.org', first_name: 'Nadia', role: 'admin' })
})

test('a redirect of the discovery document is not followed', async () => {
  let isFollowed = false
  const tried = await tryProvider('Redirecting', (request, response) => {
    if (request.url === '/elsewhere') isFollowed = true
    response.writeHead(302, { Location: '/elsewhere' }).end()
  })
  expect(tried.code).toBe('provider_unavailable')
  expect(isFollowed).toBe(false)
})

test('a response without end is cut off', async () => {
  const tried = await tryProvider('Endless', (_request, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' })
    const chunk = 'x'.repeat(64 * 1024)
    const write = () => {
      while (!response.destroyed && response.write(chunk));
    }
    response.on('drain', write)
    write()
  })
  expect(tried).toMatchObject({ code: 'provider_unavailable', details: expect.stringContaining('larger than 1 MiB') })
})

test('a provider that fails, or describes another issuer, says so', async () => {
  const failing = await tryProvider('Failing', (_request, response) => response.writeHead(503).end())
  expect(failing).toMatchObject({ code: 'provider_unavailable', details: expect.stringContaining('status 503') })
  const document = JSON.stringify({ issuer: 'https://login.evil.example', jwks_uri: 'https://login.evil.example/keys' })
  const other = await tryProvider('Other issuer', (_request, response) =>
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(document),
  )
  expect(other).toMatchObject({ code: 'provider_unavailable', details: expect.stringContaining('cannot be used') })
})

test.each(['authorization_endpoint', 'token_endpoint', 'jwks_uri'])(
  'a provider whose %s is no address says so',
  async (name) => {
    const tried = await tryProvider(`Without ${name}`, (request, response) => {
      const issuer = `http://${request.headers.host}`
      const addresses = { authorization_endpoint: issuer, token_endpoint: issuer, jwks_uri: issuer }
      response.writeHead(200, { 'Content-Type': 'application/json' })
      response.end(JSON.stringify({ issuer, ...addresses, [name]: 'nowhere' }))
    })
    expect(tried).toMatchObject({ code: 'provider_unavailable', details: expect.stringContaining('names no https') })
  },
)

test('a provider that goes down while somebody signs in leads back with a word for it', async () => {
  const { redirectTo, cookies } = await sso.start()
  const address = await sso.oidc.signIn(redirectTo, 'unlucky')
  await sso.oidc.close()
  expect((await openOidcCallback(sso.server, address, cookies)).error).toBe('unavailable')
  expect(sso.server.logLines.join('\n')).not.toContain(address.searchParams.get('code'))
})
