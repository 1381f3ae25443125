import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { enableTwoFactor, signIn, totp } from '#testing/accounts.ts'
import { message } from '#testing/messages.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const browser = { headers: { Origin: 'http://localhost:5000' } }
const minuteMs = 60_000

function refresh(token: string) {
  return server.call(api.auth.refresh, { body: { refresh_token: token } })
}

async function startAnotherSession({ id }: SignedInUser): Promise<void> {
  const origin = { ip: '', userAgent: '', requestId: '' }
  await server.services.sessions.start({ userId: id, isRemembered: false, isBrowser: false, origin })
}

describe('a confirmed password', () => {
  const change = ({ password, accessToken: token }: SignedInUser) =>
    server.call(api.profile.changePassword, {
      body: { current_password: password, new_password: 'Other-harvest8!' },
      token,
    })
  const confirm = ({ password, accessToken: token }: SignedInUser) =>
    server.call(api.profile.confirmPassword, { body: { password }, token })

  test.each([
    ['by changing it', change],
    ['by confirming it', confirm],
  ] as const)('%s voids the earlier access and refresh tokens and returns new ones', async (_, enterPassword) => {
    const user = await server.createSignedIn()
    const { access_token: token, refresh_token: renewed } = (await enterPassword(user)).data
    expect((await server.call(api.profile.get, { token: user.accessToken })).status).toBe(401)
    expect((await server.call(api.profile.get, { token })).status).toBe(200)
    server.clock.advance(minuteMs)
    const next = (await refresh(renewed)).data
    expect((await server.call(api.profile.get, { token: next.access_token })).status).toBe(200)
    expect((await refresh(user.refreshToken)).status).toBe(401)
  })

  test('keeps the session of a client that ignores the new tokens, if it refreshes at once', async () => {
    const user = await server.createSignedIn()
    const { refresh_token: renewed } = (await change(user)).data
    const retried = (await refresh(user.refreshToken)).data
    expect(retried.refresh_token).toBe(renewed)
    expect((await server.call(api.profile.get, { token: retried.access_token })).status).toBe(200)
  })

  test('voids the earlier audio cookie', async () => {
    const { email, password } = await server.createUser()
    const signedIn = await signIn(server, { email, password, ...browser })
    const answer = await server.call(api.profile.confirmPassword, {
      body: { password },
      token: signedIn.access_token,
    })
    const params = { id: 'f'.repeat(24) }
    const statusWith = async (cookie = '') =>
      (await server.call(api.audio.play, { params, cookies: { awaz_audio: cookie } })).status
    expect(await statusWith(signedIn.cookies.awaz_audio)).toBe(401)
    expect(await statusWith(answer.cookies.awaz_audio)).toBe(404)
  })

  test('a wrong one is 400, and five lock the session', async () => {
    const user = await server.createSignedIn()
    const confirm = (password: string) =>
      server.call(api.profile.confirmPassword, { body: { password }, token: user.accessToken })
    for (let tries = 0; tries < 5; tries += 1) expect((await confirm('Wrong-moon7')).error.code).toBe('wrong_password')
    expect((await confirm(user.password)).error).toMatchObject({ code: 'account_locked', remaining_seconds: 120 })
  })
})

describe('five minutes after the password was entered', () => {
  test('ending other sessions requires it again; ending the current one does not', async () => {
    const user = await server.createSignedIn()
    await startAnotherSession(user)
    server.clock.advance(5 * minuteMs + 1000)
    const token = user.accessToken
    const { sessions } = (await server.call(api.profile.listSessions, { token })).data
    const idOf = (isCurrent: boolean) => ({ id: sessions.find(({ current }) => current === isCurrent)?.id ?? '' })
    const refused = [
      await server.call(api.profile.endSession, { params: idOf(false), token }),
      await server.call(api.profile.endAllSessions, { token }),
    ]
    for (const { status, error } of refused) {
      expect([status, error.code, error.error]).toEqual([
        403,
        'password_confirmation_required',
        message('password-confirmation'),
      ])
    }
    const confirmed = await server.call(api.profile.confirmPassword, { body: { password: user.password }, token })
    const renewed = confirmed.data.access_token
    expect((await server.call(api.profile.endSession, { params: idOf(false), token: renewed })).status).toBe(200)
    server.clock.advance(5 * minuteMs + 1000)
    expect((await server.call(api.profile.endSession, { params: idOf(true), token: renewed })).status).toBe(200)
  })
  test('a code of the second factor ends another session or all, once; a wrong one ends none and counts', async () => {
    const user = await server.createSignedIn()
    const token = user.accessToken
    const { secret } = await enableTwoFactor(server, token)
    await startAnotherSession(user)
    server.clock.advance(5 * minuteMs + 1000)
    const { sessions } = (await server.call(api.profile.listSessions, { token })).data
    const params = { id: sessions.find(({ current }) => !current)?.id ?? '' }
    const headersOf = (code: string) => ({ 'X-TOTP-Token': code })
    const endOne = (code: string) => server.call(api.profile.endSession, { params, token, headers: headersOf(code) })
    const endAll = (code: string) => server.call(api.profile.endAllSessions, { token, headers: headersOf(code) })

    const wrong = await totp(server, secret, 20)
    expect((await endOne(wrong)).error.code).toBe('wrong_code')
    expect((await endAll(wrong)).error.code).toBe('wrong_code')
    const right = await totp(server, secret)
    expect((await endOne(right)).status).toBe(200)
    expect((await endAll(right)).error.code).toBe('wrong_code')
    for (let tries = 0; tries < 3; tries += 1) await endAll(wrong)
    expect((await endAll(wrong)).error.code).toBe('account_locked')
    expect((await endOne(wrong)).error.code).toBe('account_locked')
    server.clock.advance(3 * minuteMs)
    expect((await endAll(await totp(server, secret))).status).toBe(200)
    expect((await server.call(api.profile.get, { token })).status).toBe(401)
  })

  test('a code of somebody who has no second factor confirms nothing', async () => {
    const { accessToken: token } = await server.createSignedIn()
    server.clock.advance(5 * minuteMs + 1000)
    const answer = await server.call(api.profile.endAllSessions, { token, headers: { 'X-TOTP-Token': '123456' } })
    expect(answer.error.code).toBe('password_confirmation_required')
  })
})
