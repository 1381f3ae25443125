import { generate } from 'otplib'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { callApi } from '#testing/api-calls.ts'
import { lacks } from '#testing/needs.ts'
import { translate } from './reader-language.ts'
import { signInAsFirstAdmin, fillSignIn, signIn } from './sign-in.ts'
import { leaveBrowser, shareBrowser } from './shared-browser.ts'
import { shareStack, type SharedStack } from './shared-stack.ts'

const Outbox = z.object({ mails: z.array(z.object({ subject: z.string(), to: z.string() })) })
const password = 'Quiet.Hill.42?Rain'
const email = 'zarghuna@example.org'

describe.skipIf(lacks('chromium'))('accounts in a browser', () => {
  let stack: SharedStack
  let browser: Browser
  let admin: Page
  let userContext: BrowserContext
  let user: Page
  let secret = ''
  let backupCodes: string[] = []

  async function openPage(context: BrowserContext) {
    const page = await context.newPage()
    page.setDefaultTimeout(20_000)
    return page
  }

  /** Returns the newest mail to the user, as the super admin sees it in the outbox; mails are sent up to two seconds after the response. */
  async function readMail(to: string, subject: string): Promise<string> {
    const mail = { subject: translate(subject), to }
    await vi.waitFor(async () => expect(await listMails()).toContainEqual(mail), { timeout: 20_000, interval: 200 })
    await admin.goto(`${stack.url}/super-admin/outbox`)
    await admin
      .getByRole('button', { name: `Read ${mail.subject} to ${to}` })
      .first()
      .click()
    return await admin.getByRole('dialog').locator('pre').innerText()
  }

  async function listMails(): Promise<z.infer<typeof Outbox>['mails']> {
    const token = await admin.evaluate(() => localStorage.getItem('access_token'))
    return (await callApi(Outbox, `${stack.url}/api/auth/super-admin/outbox`, { token: token ?? '' })).mails
  }

  /** Generates an unused code: each time step is accepted only once, and the next step is accepted early. */
  function nextCode(): Promise<string> {
    return generate({ secret, epoch: Math.floor(Date.now() / 1000) + 30 })
  }

  /** Registers a user and opens the link in the mail; stops at the two-factor wizard. */
  async function register(
    page: Page,
    person: { firstName: string; lastName: string; email: string; username: string },
  ) {
    await page.goto(`${stack.url}/signup`)
    await page.getByLabel('First name').fill(person.firstName)
    await page.getByLabel('Last name').fill(person.lastName)
    await page.getByLabel('Email').fill(person.email)
    await page.getByLabel('Username').fill(person.username)
    await page.getByRole('textbox', { name: 'Password', exact: true }).fill(password)
    await page.getByRole('textbox', { name: 'Confirm password', exact: true }).fill(password)
    expect(await page.getByRole('meter').getAttribute('aria-valuetext')).toBe(translate('Strong'))
    await page.getByRole('checkbox').check()
    await page.getByRole('button', { name: 'Create Account' }).click()
    await page.getByText('Registration successful! Please check your email to verify your account.').waitFor()
    await page.getByRole('heading', { name: 'Check Your Email' }).waitFor()
    const mail = await readMail(person.email, 'Verify your e-mail address')
    const link = /https?:\S+verify-email\S+/.exec(mail)?.[0] ?? ''
    await page.goto(`${stack.url}${new URL(link).pathname}${new URL(link).search}`)
    await page.getByAltText('QR code of your secret key').waitFor()
  }

  async function signOut(page: Page) {
    await page.getByRole('button', { name: /^Account menu of/ }).click()
    await page.getByRole('menuitem', { name: 'Sign Out' }).click()
    await page.getByText('Logged out successfully').waitFor()
  }

  /** Chooses an action in the user's row on the admin panel. */
  async function chooseAction(page: Page, action: string) {
    await page.goto(`${stack.url}/admin?q=zarghuna`)
    await page.getByRole('button', { name: 'Actions for Zarghuna Ana' }).click()
    await page.getByRole('menuitem', { name: action }).click()
  }

  beforeAll(async () => {
    stack = await shareStack({ kind: 'guarded' })
    browser = await shareBrowser()
    admin = await openPage(await browser.newContext({ reducedMotion: 'reduce' }))
    userContext = await browser.newContext({ reducedMotion: 'reduce' })
    user = await openPage(userContext)
  }, 180_000)

  afterAll(async () => {
    await leaveBrowser(browser)
  })

  it('forces the first admin to change the initial password', async () => {
    await signInAsFirstAdmin(admin, stack)
  })

  it('registers, verifies by the mail in the outbox and enables two-factor', async () => {
    await register(user, { firstName: 'Zarghuna', lastName: 'Ana', email, username: 'zarghuna' })
    secret = (await user.locator('code').first().innerText()).replaceAll(' ', '')
    await user.getByRole('button', { name: 'Continue' }).click()
    await user.getByRole('button', { name: 'Back', exact: true }).click()
    expect((await user.locator('code').first().innerText()).replaceAll(' ', '')).toBe(secret)
    await user.getByRole('button', { name: 'Continue' }).click()
    await user.getByLabel('Verification code').fill(await generate({ secret }))
    await user.getByRole('button', { name: 'Verify' }).click()
    await user.getByText('2FA verification successful!').waitFor()
    backupCodes = await user.getByRole('list', { name: 'Backup codes' }).getByRole('listitem').allInnerTexts()
    expect(backupCodes).toHaveLength(10)
    await user.getByRole('button', { name: 'Complete Registration' }).click()
    await user.getByRole('heading', { name: 'Welcome Back' }).waitFor()
  })

  it('signs in with a backup code, then with an authenticator code', async () => {
    await fillSignIn(user, email, password)
    await user.getByLabel('Authentication code').fill(backupCodes[0] ?? '')
    await user.getByRole('button', { name: 'Verify' }).click()
    await user.getByText('Login successful!').waitFor()
    await signOut(user)

    await signIn(user, stack.url, email, password)
    await user.getByLabel('Authentication code').fill('000000')
    await user.getByRole('button', { name: 'Verify' }).click()
    await user.getByRole('alert').getByText('Invalid email or password').first().waitFor()
    await user.getByLabel('Authentication code').fill(await nextCode())
    await user.getByRole('button', { name: 'Verify' }).click()
    await user.getByRole('heading', { name: 'Transcribe & Translate' }).waitFor()
  })

  it('edits the profile', async () => {
    await user.goto(`${stack.url}/settings/profile`)
    const save = user.getByRole('button', { name: 'Save Changes' })
    expect(await save.isDisabled()).toBe(true)
    await user.getByLabel('Username').fill('zarghuna.ana')
    await save.click()
    await user.getByText('Profile updated successfully').waitFor()
    expect(await save.isDisabled()).toBe(true)
  })

  it('signs a revoked session out in the other browser', async () => {
    await chooseAction(admin, 'Revoke Sessions')
    await admin.getByText('Are you sure you want to revoke all sessions for this user?').waitFor()
    await admin.getByRole('dialog').getByRole('button', { name: 'Revoke Sessions' }).click()
    await admin.getByText('Sessions revoked').waitFor()
    await user.getByRole('heading', { name: 'Welcome Back' }).waitFor()
  })

  it('resets a forgotten password with the code of the mail', async () => {
    await user.goto(`${stack.url}/login`)
    await user.getByRole('button', { name: 'Forgot password?' }).click()
    await user.getByLabel('Email').fill(email)
    await user.getByRole('button', { name: 'Send Reset Code' }).click()
    await user.getByText('This server sends no e-mail').waitFor()
    const code = /\b\d{6}\b/.exec(await readMail(email, 'Your password reset code'))?.[0] ?? ''
    await user.getByLabel('6-digit code').fill(code)
    await user.getByRole('button', { name: 'Verify Code' }).click()
    await user.getByText('Code verified successfully!').waitFor()
    await user.getByLabel('New password', { exact: true }).fill(`${password}$2`)
    await user.getByLabel('Confirm new password').fill(`${password}$2`)
    await user.getByRole('button', { name: 'Reset Password' }).click()
    await user.getByText('Password reset successfully! You can now log in with your new password.').waitFor()
    await fillSignIn(user, email, `${password}$2`)
    await user.getByLabel('Authentication code').fill(backupCodes[1] ?? '')
    await user.getByRole('button', { name: 'Verify' }).click()
    await user.getByText('Login successful!').waitFor()
  })

  it('signs a deactivated user out and explains why the sign-in fails', async () => {
    await chooseAction(admin, 'Deactivate')
    await admin.getByText('User deactivated').waitFor()
    await user.getByRole('heading', { name: 'Welcome Back' }).waitFor()
    await fillSignIn(user, email, `${password}$2`)
    await user
      .getByRole('alert')
      .getByText('Your account has been deactivated. Please contact support.')
      .first()
      .waitFor()
    await chooseAction(admin, 'Activate')
    await admin.getByText('User activated').waitFor()
  })

  it('locks the account after repeated failures, counts down and unlocks it', async () => {
    const page = await openPage(await browser.newContext({ reducedMotion: 'reduce' }))
    await page.clock.install()
    await page.goto(`${stack.url}/login`)
    const signIn = page.getByRole('button', { name: 'Sign In', exact: true, disabled: false })
    const locked = page.getByRole('button', { name: 'Account Locked' })
    // A new address each time: a locked one would make a rerun of this test fail.
    await page.getByLabel('Email', { exact: true }).fill(`${crypto.randomUUID()}@example.org`)
    await page.getByLabel('Password', { exact: true }).fill('Wrong.1234')
    for (let attempt = 1; attempt <= 6 && !(await locked.isVisible()); attempt++) {
      const response = page.waitForResponse(/signin/)
      await signIn.click()
      await response
      await signIn.or(locked).waitFor()
    }
    await locked.waitFor()
    await page.getByText(/unlocks automatically/).waitFor()
    await page.clock.fastForward(15 * 60_000)
    await page.getByRole('button', { name: 'Sign In', exact: true }).waitFor()
  })

  it('requires two-factor set-up after a cancelled one, and again after a reset', async () => {
    const page = await openPage(await browser.newContext({ reducedMotion: 'reduce' }))
    const leila = { firstName: 'Leila', lastName: 'Ahmadi', email: 'leila@example.org', username: 'leila' }
    const gate = page.getByRole('heading', { name: 'Two-Factor Authentication Required' })
    await register(page, leila)
    await page.getByRole('button', { name: 'Cancel Registration' }).click()
    await signIn(page, stack.url, leila.email, password)
    await gate.waitFor()
    await page.goto(`${stack.url}/upload`)
    await gate.waitFor()
    await page.getByRole('button', { name: 'Enable 2FA' }).click()
    const key = (await page.locator('code').first().innerText()).replaceAll(' ', '')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByLabel('Verification code').fill(await generate({ secret: key }))
    await page.getByRole('button', { name: 'Verify' }).click()
    await page.getByRole('button', { name: 'Complete Setup' }).click()
    await page.getByRole('button', { name: /^Account menu of Leila/ }).waitFor()

    await admin.goto(`${stack.url}/admin?q=leila`)
    await admin.getByRole('button', { name: 'Actions for Leila Ahmadi' }).click()
    await admin.getByRole('menuitem', { name: 'Reset Two-Factor' }).click()
    const dialog = admin.getByRole('dialog')
    await dialog.getByLabel('Reason').fill('Lost phone, recognised in person')
    await dialog.getByRole('button', { name: 'Reset Two-Factor' }).click()
    await admin.getByText('Two-factor authentication reset').waitFor()
    await page.getByRole('heading', { name: 'Welcome Back' }).waitFor()
    await signIn(page, stack.url, leila.email, password)
    await gate.waitFor()
  })

  it('creates a user and changes the role', async () => {
    await admin.goto(`${stack.url}/super-admin`)
    await admin.getByRole('button', { name: 'Create User' }).click()
    const dialog = admin.getByRole('dialog')
    await dialog.getByLabel('Email').fill('made@example.org')
    await dialog.getByLabel('Username').fill('made')
    await dialog.getByRole('textbox', { name: 'Password', exact: true }).fill(password)
    await dialog.getByRole('button', { name: 'Create User' }).click()
    await admin.getByText('User created').waitFor()
    await admin.getByRole('combobox', { name: 'Role of made' }).click()
    await admin.getByRole('option', { name: 'Admin', exact: true }).click()
    await admin.getByRole('dialog').getByRole('button', { name: 'Change role' }).click()
    await admin.getByText('User role updated').waitFor()

    const made = await openPage(await browser.newContext({ reducedMotion: 'reduce' }))
    await signIn(made, stack.url, 'made@example.org', password)
    await made.getByRole('heading', { name: 'Choose a new password' }).waitFor()
  })
})
