import { afterAll, beforeAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { startSingleSignOn, type SingleSignOn } from '../testing/single-sign-on.ts'

let sso: SingleSignOn
beforeAll(async () => {
  sso = await startSingleSignOn()
})
afterAll(() => sso.close())

const logoutEvent = { 'http://schemas.openid.net/event/backchannel-logout': {} }
let tokenCount = 0

/** Returns the claims of a valid logout token with `changes` applied; claims that are undefined are left out. */
function logoutClaims(changes: Record<string, unknown> = {}) {
  tokenCount += 1
  const now = Math.floor(sso.server.clock.now() / 1000)
  const times = { iat: now, exp: now + 120 }
  const claims = {
    iss: sso.oidc.issuer,
    aud: sso.oidc.clientId,
    ...times,
    jti: `logout-${tokenCount}`,
    events: logoutEvent,
  }
  return { ...claims, ...changes }
}

async function sendLogout(token: string, id = sso.providerId) {
  return sso.server.call(api.sso.backChannelLogout, {
    params: { id },
    rawBody: new TextEncoder().encode(new URLSearchParams({ logout_token: token }).toString()),
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  })
}

async function isOpen(token: string): Promise<boolean> {
  return (await sso.server.call(api.profile.get, { token })).status === 200
}

test('a logout token of a person ends their sessions from the provider, and no other', async () => {
  const first = await sso.signIn('nadia')
  const second = await sso.signIn('nadia')
  const other = await sso.signIn('omar')
  const origin = { ip: '127.0.0.1', userAgent: 'test', requestId: 'test' }
  const here = { userId: first.user.id, isRemembered: false, isBrowser: false, origin }
  const local = await sso.server.services.sessions.start(here)
  const token = await sso.oidc.sign(logoutClaims({ sub: 'nadia' }))
  expect((await sendLogout(token)).status).toBe(200)
  const open = [first, second, other].map(({ access_token: each }) => isOpen(each))
  expect(await Promise.all(open)).toEqual([false, false, true])
  expect(await isOpen(local.accessToken)).toBe(true)
  const replayed = await sendLogout(token)
  expect(replayed.error).toMatchObject({ code: 'invalid_input', error: expect.stringContaining('used before') })
})

test('a logout token of a session ends that session alone', async () => {
  const first = await sso.signIn('parwin')
  let sid: unknown
  sso.oidc.alterNextIdToken((claims) => {
    sid = claims.sid
    return claims
  })
  const second = await sso.signIn('parwin')
  await sendLogout(await sso.oidc.sign(logoutClaims({ sub: 'parwin', sid })))
  expect([await isOpen(first.access_token), await isOpen(second.access_token)]).toEqual([true, false])
})

test.each([
  ['another audience', { aud: 'another-application' }],
  ['another issuer', { iss: 'https://login.evil.example' }],
  ['an old token', { iat: Math.floor(Date.now() / 1000) - 3600, exp: undefined }],
  ['an expired token', { exp: Math.floor(Date.now() / 1000) - 600 }],
  ['an ID token', { events: undefined }],
  ['a nonce', { nonce: 'of-a-sign-in' }],
  ['no event of signing out', { events: { 'https://example.org/other': {} } }],
  ['no id', { jti: undefined }],
  ['neither a person nor a session', { sub: undefined }],
])('a logout token with %s is refused', async (_name, changes) => {
  const { access_token: token } = await sso.signIn('qasim')
  const claims = JSON.parse(JSON.stringify(logoutClaims({ sub: 'qasim', ...changes }))) // drops undefined claims
  const answer = await sendLogout(await sso.oidc.sign(claims))
  expect(answer.error.code).toBe('invalid_input')
  expect(await isOpen(token)).toBe(true)
})

test('a logout token of an unknown key, and what is no token, is refused', async () => {
  const forged = await sso.oidc.sign(logoutClaims({ sub: 'nadia' }), { withUnknownKey: true })
  for (const token of [forged, 'no-token', '']) expect((await sendLogout(token)).error.code).toBe('invalid_input')
  expect((await sendLogout('')).error.error).toBe('Send a logout_token as application/x-www-form-urlencoded.')
  expect((await sendLogout(forged, '0'.repeat(24))).error.code).toBe('not_found')
})

test('signing out here leads to the provider, which ends its session and knows the way back', async () => {
  const { refresh_token } = await sso.signIn('rahim')
  const { data } = await sso.server.call(api.auth.signOut, { body: { refresh_token } })
  const address = new URL(data.redirect_to ?? '')
  expect(`${address.origin}${address.pathname}`).toBe(`${sso.oidc.issuer}/session/end`)
  expect(address.searchParams.get('post_logout_redirect_uri')).toBe(`${sso.server.config.publicUrl}/login`)
  const page = await fetch(address)
  const html = await page.text()
  const [, action = ''] = /action="([^"]+)"/.exec(html) ?? []
  const [, xsrf = ''] = /name="xsrf" value="([^"]+)"/.exec(html) ?? []
  const confirmed = await fetch(action, {
    method: 'POST',
    redirect: 'manual',
    headers: {
      Cookie: page.headers
        .getSetCookie()
        .map((line) => line.split(';')[0])
        .join('; '),
    },
    body: new URLSearchParams({ xsrf, logout: 'yes' }),
  })
  expect(confirmed.headers.get('Location')).toBe(`${sso.server.config.publicUrl}/login`)
})

test('signing out of a session that began here leads nowhere', async () => {
  const { refreshToken } = await sso.server.createSignedIn()
  const { data } = await sso.server.call(api.auth.signOut, { body: { refresh_token: refreshToken } })
  expect(data.redirect_to).toBeUndefined()
})

test('no token of the provider is stored in the clear', async () => {
  await sso.signIn('samira')
  const { connection } = sso.server.services.database
  const stored = await connection.collection('sessions').find({ 'provider.id': sso.providerId }).toArray()
  expect(stored.length).toBeGreaterThan(0)
  // The encrypted text is random: it may contain the three letters that a token begins with, but never a dot.
  expect(JSON.stringify(stored)).not.toMatch(/eyJ[\w-]+\./)
})
