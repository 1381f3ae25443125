import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { enableTwoFactor, mailsTo, newestMail, signIn } from '#testing/accounts.ts'
import { startTestServer, type TestServer } from '#testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const choosing = (language: string) => ({ Cookie: `awaz_language=${language}` })

async function lastTextTo(email: string) {
  const mail = (await mailsTo(server, email)).at(-1)
  if (!mail) throw new Error(`There is no mail to ${email}`)
  return mail
}

async function requestReset(email: string) {
  await server.call(api.auth.forgotPassword, { body: { email } })
  return lastTextTo(email)
}

/** Returns a user who opened the app in a browser with this language selected. */
async function createReader(language: string) {
  const user = await server.createSignedIn()
  await server.call(api.profile.get, { token: user.accessToken, headers: choosing(language) })
  return user
}

describe('the language of mails', () => {
  test('is that in which somebody registers, with a link that works', async () => {
    const person = { email: 'zahra@example.org', username: 'zahra', password: 'Quiet-harbour7!' }
    const body = { ...person, first_name: 'زهرا', last_name: 'Ahmadi' }
    await server.call(api.auth.signUp, { body, headers: choosing('fa') })
    const { text, token } = await lastTextTo(person.email)
    expect(text).toContain('سلام \u2068زهرا\u2069،')
    expect(text).toContain('تأیید نشانی ایمیل:\n')
    const verified = await server.call(api.auth.verifyEmail, { body: { token } })
    expect(verified.status).toBe(200)
  })

  test('is that of the browser with which somebody signed in', async () => {
    const { email, password } = await server.createUser()
    await signIn(server, { email, password, headers: choosing('ur') })
    expect((await requestReset(email)).text).toContain('السلام علیکم')
  })

  test('is that of the browser that last loaded the profile: code, link and second factor in Persian', async () => {
    const { email, accessToken } = await createReader('fa')
    const reset = await requestReset(email)
    expect(reset.text).toContain('برای بازنشانی گذرواژه این کد را وارد کنید')
    const body = { email, code: reset.code }
    expect((await server.call(api.auth.verifyResetCode, { body })).status).toBe(200)
    expect(reset.token).not.toBe('')
    await enableTwoFactor(server, accessToken)
    expect((await lastTextTo(email)).text).toContain('تأیید دومرحله‌ای حساب شما فعال شد')
    await server.call(api.profile.get, { token: accessToken, headers: choosing('en') })
    expect((await requestReset(email)).text).toContain('Enter this code')
  })

  test('is English for people who chose none, also after a mail in Persian', async () => {
    await requestReset((await createReader('fa')).email)
    const { email, accessToken } = await server.createSignedIn()
    await server.call(api.profile.get, { token: accessToken })
    await requestReset(email)
    expect((await newestMail(server, email, 'Your password reset code')).text).toMatch(/^Hello /)
  })

  test('is English where the language is unknown, in a cookie or stored by another version', async () => {
    const { id, email } = await createReader('xx')
    expect((await server.services.users.findById(id))?.language).toBeUndefined()
    await server.services.users.update(id, { language: 'xx' })
    expect((await requestReset(email)).text).toContain('Enter this code')
  })

  test('is not part of what the API says about a user', async () => {
    const { accessToken: token } = await createReader('ps')
    const { user } = (await server.call(api.profile.get, { token })).data
    expect(user).not.toHaveProperty('language')
  })

  test('of an invitation is that of the person who invites', async () => {
    const inviter = await server.createSignedIn({ role: 'super_admin' })
    await server.call(api.profile.get, { token: inviter.accessToken, headers: choosing('ar') })
    const body = { email: 'guest@example.org', role: 'user' as const }
    const invited = await server.call(api.invitations.create, { body, token: inviter.accessToken })
    expect(invited.status).toBe(201)
    const { text } = await lastTextTo(body.email)
    expect(text).toContain('إلى Awaz')
    expect(text).toContain('/invitation?token=')
  })
})
