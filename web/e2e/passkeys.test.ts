import type { Browser, CDPSession, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { endTwoFactorGrace } from '#testing/copied-user.ts'
import { lacks } from '#testing/needs.ts'
import { listAxeViolations } from './axe.ts'
import { adminPassword, changePassword, fillSignIn, signIn, signInAsFirstAdmin } from './sign-in.ts'
import { createUser } from './admin-scenes.ts'
import { leaveBrowser, shareBrowser } from './shared-browser.ts'
import { shareStack, type SharedStack } from './shared-stack.ts'
import { withDatabase } from './stack-users.ts'

const person = {
  email: 'spozhmai@example.org',
  username: 'spozhmai',
  firstName: 'سپوږمۍ',
  password: 'Quiet.Hill.42?Rain',
}

describe.skipIf(lacks('chromium'))('passkeys in a browser', () => {
  let stack: SharedStack
  let url: string
  let browser: Browser
  let admin: Page
  let authenticator: { devtools: CDPSession; id: string }

  /** Opens a page in a separate browser, with an authenticator that verifies its user, like that of a phone or laptop. */
  async function openPage() {
    // The page's policy forbids injected scripts, and axe is one.
    const context = await browser.newContext({ bypassCSP: true, reducedMotion: 'reduce' })
    const page = await context.newPage()
    page.setDefaultTimeout(20_000)
    const devtools = await context.newCDPSession(page)
    await devtools.send('WebAuthn.enable')
    const { authenticatorId: id } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
      },
    })
    return { page, authenticator: { devtools, id } }
  }

  async function signOut(page: Page) {
    await page.getByRole('button', { name: /^Account menu of/ }).click()
    await page.getByRole('menuitem', { name: 'Sign Out' }).click()
    await page.getByText('Logged out successfully').waitFor()
    await page.goto(`${url}/login`)
  }

  const endGrace = (email: string) => withDatabase(stack, ({ connection }) => endTwoFactorGrace(connection, email))
  const waitUntilSignedIn = (page: Page) => page.getByRole('button', { name: /^Account menu of/ }).waitFor()

  /** Presses Tab until the element with this name has the focus. */
  async function tabTo(page: Page, name: string) {
    await page.getByText(name, { exact: true }).waitFor()
    for (let presses = 0; presses < 30; presses += 1) {
      await page.keyboard.press('Tab')
      const focused = await page.evaluate(() => document.activeElement?.textContent)
      if (focused === name) return
    }
    throw new Error(`No Tab leads to ${name}`)
  }

  beforeAll(async () => {
    stack = await shareStack({ kind: 'guarded' })
    url = stack.url.replace('127.0.0.1', 'localhost')
    browser = await shareBrowser()
    const opened = await openPage()
    admin = opened.page
    authenticator = opened.authenticator
    await signInAsFirstAdmin(admin, { ...stack, url })
  }, 180_000)

  afterAll(async () => {
    await leaveBrowser(browser)
  })

  it('adds one on the security page', async () => {
    await admin.goto(`${url}/settings/security`)
    const card = admin.getByRole('region', { name: 'Passkeys' })
    await card.getByText('You have no passkeys.').waitFor()
    await card.getByRole('button', { name: 'Add a passkey' }).click()
    const dialog = admin.getByRole('dialog')
    expect(await dialog.getByLabel('Name').inputValue()).toMatch(/Chrome on/)
    await dialog.getByLabel('Name').fill('Laptop of the office')
    expect(await listAxeViolations(admin, '[role=dialog]')).toEqual([])
    await dialog.getByRole('button', { name: 'Create passkey' }).click()
    await admin.getByText('Passkey added').waitFor()
    await card.getByText('Laptop of the office').waitFor()
    await card.getByText(/never used/).waitFor()
    const { devtools, id } = authenticator
    const { credentials } = await devtools.send('WebAuthn.getCredentials', { authenticatorId: id })
    expect(credentials).toMatchObject([{ isResidentCredential: true, rpId: 'localhost' }])
  })

  it('signs in with it by keyboard, without e-mail and password', async () => {
    await signOut(admin)
    await tabTo(admin, 'Sign in with a passkey')
    await admin.keyboard.press('Enter')
    await waitUntilSignedIn(admin)
    await admin.goto(`${url}/settings/security`)
    await admin
      .getByRole('region', { name: 'Passkeys' })
      .getByText(/last used/)
      .waitFor()
  })

  it('is asked for after the password', async () => {
    await signOut(admin)
    await fillSignIn(admin, stack.admin.email, adminPassword)
    await admin.getByRole('heading', { name: 'Two-Factor Authentication' }).waitFor()
    expect(await admin.getByLabel('Authentication code').count()).toBe(0)
    expect(await listAxeViolations(admin)).toEqual([])
    await admin.getByRole('button', { name: 'Use your passkey' }).press('Enter')
    await waitUntilSignedIn(admin)
  })

  it('lets somebody in from whom the server requires a second factor', async () => {
    await createUser(admin, url, person)
    await endGrace(person.email)
    const { page } = await openPage()
    await signIn(page, url, person.email, person.password)
    await page.getByRole('heading', { name: 'Choose a new password' }).waitFor()
    await changePassword(page, person.password, adminPassword)
    await page.getByRole('heading', { name: 'Two-Factor Authentication Required' }).waitFor()
    await page.getByRole('button', { name: 'Use a passkey instead' }).click()
    await page.getByRole('button', { name: 'Create passkey' }).click()
    await waitUntilSignedIn(page)
    await page.context().close()
  })

  it('says so when there is none on the device, and at an address that is not the server’s', async () => {
    const { page } = await openPage()
    await page.goto(`${url}/login`)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page
      .getByRole('alert')
      .getByText(/there is none for this site/)
      .first()
      .waitFor()
    await page.goto(`${url.replace('localhost', '127.0.0.1')}/login`)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page
      .getByRole('alert')
      .getByText(`Passkeys work only at ${url}, the address of this server.`)
      .first()
      .waitFor()
    await page.context().close()
  })

  it('is renamed and removed', async () => {
    await admin.goto(`${url}/settings/security`)
    const card = admin.getByRole('region', { name: 'Passkeys' })
    await card.getByRole('button', { name: 'Rename Laptop of the office' }).click()
    await admin.getByRole('dialog').getByLabel('Name').fill('Desk')
    await admin.getByRole('dialog').getByRole('button', { name: 'Rename' }).click()
    await endGrace(stack.admin.email)
    await card.getByRole('button', { name: 'Remove Desk' }).click()
    await admin.getByLabel('Your password', { exact: true }).fill(adminPassword)
    await admin.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await admin.getByText('Passkey removed').waitFor()
    // It was the only second factor, and the server requires one.
    await admin.getByRole('heading', { name: 'Two-Factor Authentication Required' }).waitFor()
  })
})
