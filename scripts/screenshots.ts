// npm run screenshots: takes every page, dialogs and right-to-left texts in light, dark and phone width into screenshots/, for a visual
// review; `npm run screenshots speakers` takes only those of a call with three voices.
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Page } from 'playwright-core'
import { launchBrowser } from '#testing/browser.ts'
import { startStack } from '#testing/stack.ts'
import { correctSpeakers } from './screenshots/speakers-walk.ts'
import { addKeywords, administer, processSampleCall, register, secure, signIn } from './screenshots/walks.ts'

const root = dirname(import.meta.dirname)
const folder = join(root, 'screenshots')

const views = [
  { name: 'light', width: 1280, height: 860, colorScheme: 'light' },
  { name: 'dark', width: 1280, height: 860, colorScheme: 'dark' },
  { name: 'phone', width: 360, height: 760, colorScheme: 'light' },
] as const

const publicPages = ['/login', '/signup', '/terms', '/privacy', '/support', '/verify-email', '/reset-password?token=x']
const pages = [
  '/dashboard',
  '/upload',
  '/settings/profile',
  '/settings/security',
  '/admin',
  '/super-admin',
  '/admin/audit',
  '/super-admin/outbox',
]

/** Takes screenshots of the current page in every view, and leaves it wide and light. */
async function shoot(page: Page, name: string) {
  // A toast would hide what is below it.
  await page.locator('.mantine-Notification-root').first().waitFor({ state: 'detached' })
  for (const { name: view, width, height, colorScheme } of views) {
    await page.setViewportSize({ width, height })
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    // The color change is animated over the next frames. Endless animations, such as progress, are not awaited.
    await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor({ state: 'attached' })
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
    await page.evaluate(`Promise.allSettled(document.getAnimations()
      .filter(({ effect }) => effect.getComputedTiming().iterations !== Infinity)
      .map(({ finished }) => finished))`)
    await page.evaluate('document.fonts.ready')
    await page.screenshot({ path: join(folder, `${name}-${view}.png`), fullPage: true })
  }
  await page.setViewportSize({ width: views[0].width, height: views[0].height })
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
}

async function shootPages(page: Page, url: string, paths: string[]) {
  for (const path of paths) {
    await page.goto(`${url}${path}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.getByRole('status').first().waitFor({ state: 'detached' })
    await shoot(page, path.replace(/\?.*/, '').replaceAll('/', '-').slice(1))
  }
}

async function main() {
  await mkdir(folder, { recursive: true })
  const stack = await startStack()
  const browser = await launchBrowser()
  try {
    const anonymous = await (await browser.newContext()).newPage()
    await shootPages(anonymous, stack.url, publicPages)
    const page = await (await browser.newContext({ viewport: { width: 1280, height: 860 } })).newPage()
    await signIn(page, stack, shoot)
    await correctSpeakers(page, shoot)
    if (process.argv[2] === 'speakers') return console.log(`Screenshots are in ${folder}`)
    await page.goto(`${stack.url}/dashboard`)
    await processSampleCall(page, join(root, 'models/demo/sample-call.mp3'), shoot)
    await addKeywords(page, stack.url, shoot)
    await administer(page, stack.url, shoot)
    await secure(page, stack.url, shoot)
    await register(browser, page, stack.url, shoot)
    await shootPages(page, stack.url, pages)
  } finally {
    await browser.close()
    await stack.stop()
  }
  console.log(`Screenshots are in ${folder}`)
}

await main()
