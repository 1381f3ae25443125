import { generate } from 'otplib'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lacks } from '#testing/needs.ts'
import { startOidcProvider, type TestOidcProvider } from '#testing/oidc-provider.ts'
import { listAxeViolations } from './axe.ts'
import { leaveBrowser, shareBrowser } from './shared-browser.ts'
import { shareStack, type SharedStack } from './shared-stack.ts'
import { signInForApi } from './stack-users.ts'

const localPassword = 'Quiet.Hill.42?Rain'
const button = 'Continue with Test ID'

describe.skipIf(lacks('chromium'))('signing in through an OpenID provider in a browser', () => {
  let stack: SharedStack
  let provider: TestOidcProvider
  let browser: Browser
  let backupCodes: string[] = []

  async function send(path: string, body: unknown, token?: string): Promise<Record<string, unknown>> {
    const response = await fetch(`${stack.url}${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) },
      body: JSON.stringify(body),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
    return JSON.parse(text) as Record<string, unknown> // every response of the API is an object
  }

  async function tokenOf(path: string, body: unknown, token?: string): Promise<string> {
    return String((await send(path, body, token)).access_token)
  }

  /** Signs in with a password that somebody else set, and changes it; returns an access token. */
  async function changeGivenPassword(email: string, given: string, next: string): Promise<string> {
    const token = await tokenOf('/api/auth/signin', { email, password: given })
    return tokenOf('/api/auth/change-password', { current_password: given, new_password: next }, token)
  }

  async function addProvider(token: string) {
    const { provider: stored } = await send(
      '/api/auth/super-admin/sign-in-providers',
      {
        kind: 'oidc',
        name: 'Test ID',
        issuer: provider.issuer,
        client_id: provider.clientId,
        client_secret: provider.clientSecret,
        group_roles: [{ group: 'operators', role: 'admin' }],
      },
      token,
    )
    const { id, callback_url: redirectUri } = stored as { id: string; callback_url: string } // as the contract says
    provider.register({
      redirectUri,
      afterSignOut: `${stack.url}/login`,
      logoutUri: `${stack.url}/api/auth/sso/oidc/${id}/logout`,
    })
  }

  /** Creates a local account with two-factor, whose address the provider also knows. */
  async function addLocalAccount(token: string) {
    const email = 'nazo@example.org'
    const given = 'Given.Stone.88!Lake'
    const account = { email, username: 'nazo', password: given, first_name: 'Nazo', last_name: 'Ana' }
    await send('/api/auth/super-admin/create-user', { ...account, role: 'user' }, token)
    const own = await changeGivenPassword(email, given, localPassword)
    const setup = await send('/api/auth/2fa/enable', {}, own)
    await send('/api/auth/2fa/verify', { token: await generate({ secret: String(setup.secret) }) }, own)
    backupCodes = setup.backup_codes as string[] // as the contract says
  }

  /** Accessibility checks inject their own scripts, which the content security policy of the product forbids. */
  async function openLogin({ bypassCSP = true } = {}): Promise<{ context: BrowserContext; page: Page }> {
    const context = await browser.newContext({ reducedMotion: 'reduce', bypassCSP })
    const page = await context.newPage()
    page.setDefaultTimeout(15_000)
    await page.goto(`${stack.url}/login`)
    return { context, page }
  }

  /** Types the name on the provider's own page. */
  async function signInAtProvider(page: Page, name: string) {
    await page.getByRole('heading', { name: 'Test provider' }).waitFor()
    await page.getByLabel('User name').fill(name)
    await page.getByRole('button', { name: 'Sign in' }).click()
  }

  async function waitForHome(page: Page) {
    await page.getByRole('heading', { name: 'Transcribe & Translate' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/dashboard')
  }

  async function signOut(page: Page) {
    await page.getByRole('button', { name: /^Account menu of/ }).click()
    await page.getByRole('menuitem', { name: 'Sign Out' }).click()
  }

  beforeAll(async () => {
    provider = await startOidcProvider()
    provider.people.set('spozhmai', { groups: ['operators'] })
    stack = await shareStack({ mustChangePassword: false })
    browser = await shareBrowser()
    const { access_token: token } = await signInForApi(stack.url, stack.admin)
    await addProvider(token)
    await addLocalAccount(token)
  }, 180_000)

  afterAll(async () => {
    await leaveBrowser(browser)
    await provider?.close()
  })

  it('creates an account at the first sign-in, and ends the session at the provider too', async () => {
    const { context, page } = await openLogin()
    await page.getByRole('button', { name: button }).waitFor()
    expect(await listAxeViolations(page)).toEqual([])
    await page.getByRole('button', { name: button }).click()
    await signInAtProvider(page, 'malalai')
    await waitForHome(page)
    expect(page.url()).not.toContain('ticket')
    await page.getByRole('button', { name: 'Account menu of malalai Person' }).click()
    expect(await page.getByRole('menuitem', { name: 'Admin Panel' }).count()).toBe(0)
    await page.keyboard.press('Escape')

    await page.goto(`${stack.url}/settings/security`)
    await page.getByText(/there is no password to change here/).waitFor()
    expect(await listAxeViolations(page)).toEqual([])

    await signOut(page)
    // The provider asks whether to end its own session too.
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Welcome Back' }).waitFor()
    await page.getByRole('button', { name: button }).click()
    // The provider's session has ended: it asks for the name again.
    await page.getByLabel('User name').waitFor()
    await context.close()
  })

  it('by keyboard alone, and shows the administration to members of a mapped group', async () => {
    const { context, page } = await openLogin({ bypassCSP: false })
    await page.getByRole('button', { name: button }).waitFor()
    await page.getByLabel('Password', { exact: true }).focus()
    for (let presses = 0; presses < 12; presses += 1) {
      await page.keyboard.press('Tab')
      if (
        (await page
          .locator(':focus')
          .innerText()
          .catch(() => '')) === button
      )
        break
    }
    await page.keyboard.press('Enter')
    await page.getByLabel('User name').waitFor()
    await page.getByLabel('User name').focus()
    await page.keyboard.type('spozhmai')
    await page.keyboard.press('Enter')
    await waitForHome(page)
    await page.getByRole('button', { name: /^Account menu of/ }).click()
    await page.getByRole('menuitem', { name: 'Admin Panel' }).waitFor()
    await context.close()
  })

  it('links an account only with its password and code, and asks for the second factor from then on', async () => {
    const { context, page } = await openLogin()
    await page.getByRole('button', { name: button }).click()
    await signInAtProvider(page, 'nazo')
    await page.getByRole('heading', { name: 'Is this your account?' }).waitFor()
    expect(await listAxeViolations(page)).toEqual([])
    expect(page.url()).toBe(`${stack.url}/sso`)
    await page.getByLabel('Password of your Awaz account').fill('Wrong.Stone.11!Lake')
    await page.getByLabel('Authentication code').fill(backupCodes[0] ?? '')
    await page.getByRole('button', { name: 'Link and sign in' }).click()
    await page.getByRole('alert').getByText('The password is wrong.').waitFor()
    await page.getByLabel('Password of your Awaz account').fill(localPassword)
    await page.keyboard.press('Enter')
    await waitForHome(page)

    await page.evaluate(() => localStorage.clear())
    await page.goto(`${stack.url}/login`)
    // The provider still has a session in this browser: it asks for nothing.
    await page.getByRole('button', { name: button }).click()
    await page.getByRole('heading', { name: 'Two-Factor Authentication' }).waitFor()
    await page.getByLabel('Authentication code').fill(backupCodes[1] ?? '')
    await page.getByRole('button', { name: 'Verify' }).click()
    await waitForHome(page)
    await context.close()
  })

  it('says what to do when the person cancels at the provider', async () => {
    const { context, page } = await openLogin()
    await page.getByRole('button', { name: button }).click()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('heading', { name: 'You are not signed in' }).waitFor()
    expect(await page.getByRole('alert').innerText()).toMatch(/cancelled the sign-in.*try again/)
    expect(await listAxeViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Back to sign-in' }).click()
    await page.getByRole('heading', { name: 'Welcome Back' }).waitFor()
    await context.close()
  })
})
