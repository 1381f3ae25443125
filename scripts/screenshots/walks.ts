import type { Browser, Page } from 'playwright-core'
import type { Stack } from '#testing/stack.ts'

const password = 'Brave.Teal.7!Waves'
const processTimeoutMs = 120_000

/** Takes screenshots of the current page in every view, under a name. */
export type Shoot = (page: Page, name: string) => Promise<void>

/** Signs the first administrator in, including the required password change. */
export async function signIn(page: Page, { url, admin }: Stack, shoot: Shoot): Promise<void> {
  await page.goto(`${url}/login`)
  await page.getByLabel('Email', { exact: true }).fill(admin.email)
  await page.getByLabel('Password', { exact: true }).fill(admin.password)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await page.getByLabel('Current password', { exact: true }).fill(admin.password)
  await shoot(page, 'forced-password')
  await page.getByLabel('New password', { exact: true }).fill(password)
  await page.getByLabel('Confirm new password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Change Password' }).click()
  await page.getByRole('heading', { level: 1, name: /^(Transcribe & Translate|Library)$/ }).waitFor()
  await shoot(page, 'dashboard-empty')
}

/** Uploads the sample call and processes it completely. Returns the address of its workspace. */
export async function processSampleCall(page: Page, sample: string, shoot: Shoot): Promise<string> {
  await page.locator('input[type=file]').setInputFiles(sample)
  await page.getByRole('button', { name: 'Start Dual Speaker Transcription' }).waitFor()
  await shoot(page, 'transcribe-new')
  await choose(page, 'Right Channel', 'English')
  await page.getByRole('button', { name: 'Start Dual Speaker Transcription' }).click()
  await page.getByText(/part \d+ of/).waitFor()
  await shoot(page, 'transcribe-running')
  await page.getByRole('button', { name: 'Retranscribe' }).waitFor({ timeout: processTimeoutMs })
  await page.getByRole('tab', { name: 'Speakers' }).click()
  await page.getByRole('button', { name: 'Start Diarization' }).click()
  await page.getByRole('list', { name: 'Dialogue' }).waitFor({ timeout: processTimeoutMs })
  for (const language of ['Urdu', 'Persian', 'Arabic', 'English']) {
    await choose(page, 'Translation Language', language)
    await page.getByRole('button', { name: 'Start AI Translation' }).click()
    await page.getByText(`Pashto, English → ${language}`).waitFor({ timeout: processTimeoutMs })
    await shoot(page, `transcribe-${language.toLowerCase()}`)
  }
  return page.url()
}

async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

/** Adds keywords in three scripts, including a long one. */
export async function addKeywords(page: Page, url: string, shoot: Shoot): Promise<void> {
  await page.goto(`${url}/settings/general`)
  const field = page.getByRole('textbox', { name: /^Add keywords to/ })
  await field.fill('پل, برید, دھماکہ خیز مواد, حملہ, بمب‌گذاری, تهديد بالقتل, bridge, Kabul–Jalalabad road')
  await field.press('Enter')
  await page.getByText(/^Kabul–Jalalabad road$/i).waitFor()
  await field.fill('نوی, پل')
  await shoot(page, 'keywords-rtl')
}

/** Shows a user's details, the row menu and the dialogs that they open. */
export async function administer(page: Page, url: string, shoot: Shoot): Promise<void> {
  await page.goto(`${url}/super-admin`)
  await page.getByRole('button', { name: 'Create User' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('First name').fill('زرغونه')
  await dialog.getByLabel('Last name').fill('انا')
  await dialog.getByLabel('Email').fill('zarghuna@example.org')
  await dialog.getByLabel('Username').fill('zarghuna')
  await dialog.getByRole('textbox', { name: 'Password', exact: true }).fill('weak')
  await shoot(page, 'create-user')
  await dialog.getByRole('textbox', { name: 'Password', exact: true }).fill(password)
  await dialog.getByRole('button', { name: 'Create User' }).click()
  await dialog.waitFor({ state: 'detached' })
  await act(page, 'Reset Password')
  await shoot(page, 'reset-password-dialog')
  await page.goto(`${url}/admin`)
  await page.getByRole('button', { name: /^Actions for .*انا/ }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).waitFor()
  await shoot(page, 'admin-menu')
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('dialog').waitFor()
  await shoot(page, 'delete-user-dialog')
  await page.goto(`${url}/admin`)
  await page.getByRole('button', { name: /^Actions for admin/i }).click()
  await page.getByRole('menuitem', { name: 'View Details' }).click()
  await page.getByRole('region', { name: 'Recent sign-in attempts' }).waitFor()
  await shoot(page, 'admin-user')
}

/** Shows the password prompt that precedes changes to the second factor or sessions. */
export async function secure(page: Page, url: string, shoot: Shoot): Promise<void> {
  await page.goto(`${url}/settings/security`)
  for (const [button, name] of [
    ['Enable 2FA', 'confirm-password'],
    ['End all sessions', 'end-sessions'],
  ] as const) {
    await page.getByRole('button', { name: button }).click()
    await page.getByRole('dialog').waitFor()
    await shoot(page, name)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
}

async function act(page: Page, item: string): Promise<void> {
  await page.getByRole('button', { name: /^Actions for .*انا/ }).click()
  await page.getByRole('menuitem', { name: item }).click()
  await page.getByRole('dialog').waitFor()
}

/** Registers a user in a separate browser context and stops at the two-factor wizard; `admin` reads the mail. */
export async function register(browser: Browser, admin: Page, url: string, shoot: Shoot): Promise<void> {
  const page = await (await browser.newContext()).newPage()
  await page.goto(`${url}/signup`)
  await page.getByLabel('Email').fill('gulalai@example.org')
  await page.getByLabel('Username').fill('gulalai')
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill('Brave')
  await shoot(page, 'signup-typing')
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(password)
  await page.getByRole('textbox', { name: 'Confirm password', exact: true }).fill(password)
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Create Account' }).click()
  await page.getByRole('heading', { name: 'Check Your Email' }).waitFor()
  await shoot(page, 'check-your-email')
  await admin.goto(`${url}/super-admin/outbox`)
  await admin.getByRole('button', { name: /verif/i }).first().click()
  const mail = await admin.getByRole('dialog').locator('pre').innerText()
  await shoot(admin, 'outbox-mail')
  const link = new URL(/https?:\S+verify-email\S+/.exec(mail)?.[0] ?? '')
  await page.goto(`${url}${link.pathname}${link.search}`)
  await page.getByAltText('QR code of your secret key').waitFor()
  await shoot(page, 'registration-wizard')
  await page.getByRole('button', { name: 'Continue' }).click()
  await shoot(page, 'registration-code')
  await page.context().close()
}
