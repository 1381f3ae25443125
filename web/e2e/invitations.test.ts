import { generate } from 'otplib'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { lacks } from '#testing/needs.ts'
import { listAxeViolations } from './axe.ts'
import { fillSignIn, signInAsFirstAdmin } from './sign-in.ts'
import { leaveBrowser, shareBrowser } from './shared-browser.ts'
import { shareStack, type SharedStack } from './shared-stack.ts'

const password = 'Quiet.Hill.42?Rain'
const people = 200

/** A list of 200 people as a Western European spreadsheet exports it: with semicolons, and names in windows-1252. */
function csvOf({ hasBadLines }: { hasBadLines: boolean }): Buffer {
  const lines = Array.from({ length: people }, (_, index) => `person${index}@example.org;René;Number ${index};user`)
  if (hasBadLines) {
    lines[9] = 'person9.example.org;René;Number 9;user'
    lines[99] = 'person0@example.org;René;Number 99;user'
    lines[199] = 'person199@example.org;René;Number 199;chief'
  }
  return Buffer.from(['email;first_name;last_name;role', ...lines].join('\r\n'), 'latin1')
}

describe.skipIf(lacks('chromium'))('invitations in a browser', () => {
  let stack: SharedStack
  let browser: Browser
  let admin: Page

  /** Opens a page in a separate browser. The page's policy forbids injected scripts, and axe is one. */
  async function openPage(): Promise<Page> {
    const page = await (await browser.newContext({ bypassCSP: true, reducedMotion: 'reduce' })).newPage()
    page.setDefaultTimeout(20_000)
    return page
  }

  /** Returns the API's response to the admin signed in on the page. */
  function readApi(path: string): Promise<unknown> {
    return admin.evaluate(`fetch(${JSON.stringify(path)}, {
      headers: { Authorization: 'Bearer ' + localStorage.getItem('access_token') },
    }).then((response) => response.json())`)
  }

  /** Returns the address of the page that the mailed link leads to; mails are stored a moment after the response. */
  async function readLink(email: string): Promise<string> {
    return await vi.waitFor(
      async () => {
        const mails = JSON.stringify(await readApi('/api/auth/super-admin/outbox'))
        const id = new RegExp(`"id":"([0-9a-f]{24})"[^{}]*"to":"${email}"`).exec(mails)?.[1]
        const mail = JSON.stringify(await readApi(`/api/auth/super-admin/outbox/${id}`))
        const token = /\/invitation\?token=([\w-]+)/.exec(mail)?.[1]
        if (!token) throw new Error(`No link for ${email} yet`)
        return `${stack.url}/invitation?token=${token}`
      },
      { timeout: 20_000, interval: 250 },
    )
  }

  async function expectSound(page: Page) {
    expect(await listAxeViolations(page)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')).toBe(0)
  }

  /** Presses Tab until the element has the focus. */
  async function tabTo(page: Page, element: Locator) {
    for (let presses = 0; presses < 40; presses++) {
      if (await element.evaluate((node) => node === document.activeElement)) return
      await page.keyboard.press('Tab')
    }
    throw new Error(`The focus never reached ${element}`)
  }

  beforeAll(async () => {
    stack = await shareStack({ kind: 'guarded' })
    browser = await shareBrowser()
    admin = await openPage()
    await signInAsFirstAdmin(admin, stack)
  }, 180_000)

  afterAll(async () => {
    await leaveBrowser(browser)
  })

  it('an invited person chooses a password, sets up two-factor authentication and is in', async () => {
    const email = 'palwasha.ana@example.org'
    await admin.goto(`${stack.url}/admin/invitations`)
    await admin.getByRole('heading', { name: 'Nobody is invited yet' }).waitFor()
    await admin.getByRole('button', { name: 'Invite somebody' }).click()
    const dialog = admin.getByRole('dialog')
    await dialog.getByLabel('Email').fill(email)
    await dialog.getByLabel('First name').fill('Palwasha')
    await expectSound(admin)
    await dialog.getByRole('button', { name: 'Invite' }).click()
    const row = admin.getByRole('row', { name: /Palwasha/ })
    await row.getByText('expires in 7 days').waitFor()

    const page = await openPage()
    await page.setViewportSize({ width: 360, height: 740 })
    const link = await readLink(email)
    await page.goto(link)
    await page.getByRole('heading', { name: 'You are invited' }).waitFor()
    expect(await page.getByLabel('Username').inputValue()).toBe('palwasha.ana')
    await page.getByRole('textbox', { name: 'Password', exact: true }).fill(password)
    await page.getByRole('textbox', { name: 'Confirm password', exact: true }).fill(password)
    await page.getByRole('checkbox').check()
    await expectSound(page)
    await page.getByRole('button', { name: 'Create Account' }).click()
    await page.getByAltText('QR code of your secret key').waitFor()
    const secret = (await page.locator('code').first().innerText()).replaceAll(' ', '')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByLabel('Verification code').fill(await generate({ secret }))
    await page.getByRole('button', { name: 'Verify' }).click()
    await page.getByRole('button', { name: 'Complete Registration' }).click()
    await page.getByRole('heading', { name: 'Welcome Back' }).waitFor()
    await fillSignIn(page, email, password)
    // Each code is accepted only once, and the next code is accepted early.
    const epoch = Math.floor(Date.now() / 1000) + 30
    await page.getByLabel('Authentication code').fill(await generate({ secret, epoch }))
    await page.getByRole('button', { name: 'Verify' }).click()
    await page.getByRole('heading', { name: 'Transcribe & Translate' }).waitFor()

    const late = await openPage()
    await late.goto(link)
    await late.getByRole('heading', { name: 'This invitation does not work' }).waitFor()
    await admin.getByRole('button', { name: 'Refresh' }).click()
    await row.getByText('Accepted', { exact: true }).waitFor()
  })

  it('a file of 200 people with 3 bad lines invites nobody, and the corrected one all: at 360 px, by keyboard', async () => {
    await admin.setViewportSize({ width: 360, height: 740 })
    await admin.goto(`${stack.url}/admin/invitations`)
    await admin.getByText('1 invitation', { exact: true }).waitFor()
    await tabTo(admin, admin.getByRole('button', { name: 'Import CSV' }))
    await admin.keyboard.press('Enter')
    const dialog = admin.getByRole('dialog')
    const chooser = admin.waitForEvent('filechooser')
    await tabTo(admin, dialog.getByRole('button', { name: 'Choose file' }))
    await admin.keyboard.press('Enter')
    const file = { name: 'people.csv', mimeType: 'text/csv' }
    await (await chooser).setFiles({ ...file, buffer: csvOf({ hasBadLines: true }) })
    await dialog.getByText('197 good, 3 bad').waitFor()
    const rows = await dialog.getByRole('row').allInnerTexts()
    expect(rows.slice(0, 3).map((text) => /\d+/.exec(text)?.[0])).toEqual(['11', '101', '201'])
    expect(rows[0]).toContain('Please enter a valid email address')
    expect(rows[1]).toContain('Line 2')
    expect(rows[2]).toContain('chief')
    expect(rows[3]).toContain('René')
    expect(await dialog.getByRole('button', { name: /^Invite/ }).count()).toBe(0)
    await expectSound(admin)
    expect(await readApi('/api/auth/admin/invitations')).toMatchObject({ total: 1 })

    // The back button has the focus.
    await admin.keyboard.press('Enter')
    await dialog.getByRole('button', { name: 'Choose file' }).waitFor()
    await tabTo(admin, dialog.getByLabel('Or paste the list'))
    await admin.keyboard.insertText(csvOf({ hasBadLines: false }).toString('latin1'))
    await tabTo(admin, dialog.getByRole('button', { name: 'Check the list' }))
    await admin.keyboard.press('Enter')
    await dialog.getByText('200 good, 0 bad').waitFor()
    await expectSound(admin)
    await dialog.getByRole('button', { name: 'Invite 200 people' }).waitFor()
    await admin.keyboard.press('Enter')
    await dialog.getByRole('heading', { name: '200 people invited' }).waitFor()
    await admin.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await admin.getByText('201 invitations').waitFor()
    await expectSound(admin)
  })
})
