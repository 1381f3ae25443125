// npm run screenshots: every page in light, dark, on a phone and with right-to-left text, into screenshots/, for a person to look at.
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser } from '#testing/browser.ts'
import { startStack, type Stack } from '#testing/stack.ts'

const root = dirname(import.meta.dirname)
const folder = join(root, 'screenshots')
const password = 'Brave.Teal.7!Waves'

const views = [
  { name: 'light', width: 1280, height: 860, colorScheme: 'light' },
  { name: 'dark', width: 1280, height: 860, colorScheme: 'dark' },
  { name: 'phone', width: 360, height: 760, colorScheme: 'light' },
] as const

const publicPages = ['/login', '/signup', '/terms', '/verify-email', '/reset-password?token=example']
const pages = [
  '/dashboard',
  '/upload',
  '/transcribe',
  '/settings/profile',
  '/settings/security',
  '/settings/general',
  '/admin',
  '/super-admin',
  '/admin/audit',
  '/super-admin/outbox',
]

function fileName(path: string, view: string): string {
  return join(folder, `${path.replace(/\?.*/, '').replaceAll('/', '-').slice(1)}-${view}.png`)
}

/** Signs the first admin in, changes the password, and lets the sample call go through the whole job. */
async function prepare(page: Page, { url, admin }: Stack) {
  await page.goto(`${url}/login`)
  await page.getByLabel('Email', { exact: true }).fill(admin.email)
  await page.getByLabel('Password', { exact: true }).fill(admin.password)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await page.getByLabel('Current password', { exact: true }).fill(admin.password)
  await page.screenshot({ path: join(folder, 'forced-password-light.png') })
  await page.getByLabel('New password', { exact: true }).fill(password)
  await page.getByLabel('Confirm new password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Change Password' }).click()
  await page.locator('input[type=file]').setInputFiles(join(root, 'models/demo/sample-call.mp3'))
  await page.getByRole('button', { name: 'Start Dual Speaker Transcription' }).waitFor()
  await page.screenshot({ path: join(folder, 'transcribe-new-light.png'), fullPage: true })
  await page.getByRole('combobox', { name: 'Right Channel' }).click()
  await page.getByRole('option', { name: 'English' }).click()
  await page.getByRole('button', { name: 'Start Dual Speaker Transcription' }).click()
  await page.getByText(/part \d+ of/).waitFor()
  await page.screenshot({ path: join(folder, 'transcribe-running-light.png'), fullPage: true })
  await page.getByRole('list', { name: 'Transcript Timeline' }).waitFor({ timeout: 120_000 })
  await page.getByRole('button', { name: 'Start AI Translation' }).click()
  await page.getByText('Pashto → English').waitFor({ timeout: 120_000 })
  await page.getByRole('button', { name: 'Start Diarization' }).click()
  await page.getByRole('list', { name: 'Dialogue' }).waitFor({ timeout: 120_000 })
}

async function shoot(browser: Browser, url: string, paths: string[], storageState?: string) {
  for (const { name, width, height, colorScheme } of views) {
    const context = await browser.newContext({
      viewport: { width, height },
      colorScheme,
      ...(storageState && { storageState }),
    })
    const page = await context.newPage()
    for (const path of paths) {
      await page.goto(`${url}${path}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.getByRole('status').first().waitFor({ state: 'detached', timeout: 5000 })
      await page.evaluate('document.fonts.ready')
      await page.screenshot({ path: fileName(path, name), fullPage: true })
    }
    await context.close()
  }
}

async function main() {
  await mkdir(folder, { recursive: true })
  const stack = await startStack()
  const browser = await launchBrowser()
  try {
    const context = await browser.newContext({ viewport: { width: 1280, height: 860 } })
    const page = await context.newPage()
    await prepare(page, stack)
    const recording = new URL(page.url()).search
    const state = join(stack.dataDir, 'browser-state.json')
    await context.storageState({ path: state })
    await context.close()
    await shoot(browser, stack.url, publicPages)
    await shoot(
      browser,
      stack.url,
      pages.map((path) => (path === '/transcribe' ? `${path}${recording}` : path)),
      state,
    )
  } finally {
    await browser.close()
    await stack.stop()
  }
  console.log(`Screenshots are in ${folder}`)
}

await main()
