import { dirname, join } from 'node:path'
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { launchBrowser } from '#testing/browser.ts'
import { findChromium } from '#testing/chromium.ts'
import { startStack, type Stack } from '#testing/stack.ts'
import { authPaths, pageList } from '../src/app/page-list.ts'
import { listAxeViolations } from './axe.ts'
import { adminPassword, signInAsFirstAdmin } from './sign-in.ts'
import { createTestUser } from './admin-scenes.ts'
import type { Scene } from './scene-tools.ts'
import { scenes } from './scenes.ts'

const sample = join(dirname(dirname(import.meta.dirname)), 'models/demo/sample-call.mp3')
const schemes = ['light', 'dark'] as const
const widths = [360, 768, 1280]

/** Parameters of pages that redirect without them. */
const suffixes: Record<string, string> = { '/reset-password': '?token=example', '/verify-email': '' }
const publicPaths: string[] = [
  ...authPaths,
  ...Object.values(pageList)
    .filter(({ access, path }) => access === 'public' && path !== '/registration-2fa')
    .map(({ path }) => `${path}${suffixes[path] ?? ''}`),
]
const userPaths = Object.values(pageList)
  .filter(({ access }) => access !== 'public')
  .map(({ path }) => path)

describe.skipIf(!findChromium())('every page', () => {
  let stack: Stack
  let browser: Browser
  let signedIn: BrowserContext
  let anonymous: BrowserContext

  beforeAll(async () => {
    stack = await startStack()
    browser = await launchBrowser()
    // The page's policy forbids injected scripts, and axe is one.
    signedIn = await browser.newContext({ bypassCSP: true, reducedMotion: 'reduce' })
    anonymous = await browser.newContext({ bypassCSP: true, reducedMotion: 'reduce' })
    const page = await signedIn.newPage()
    await signInAsFirstAdmin(page, stack)
    await page.locator('input[type=file]').setInputFiles(sample)
    await page.getByRole('button', { name: 'Start Dual Speaker Transcription' }).click()
    await page.getByRole('button', { name: 'Retranscribe' }).waitFor({ timeout: 120_000 })
    const recording = new URL(page.url()).search
    suffixes['/transcribe'] = recording
    await createTestUser(page, stack.url, adminPassword)
    await page.close()
  }, 240_000)

  afterAll(async () => {
    await browser?.close()
    await stack?.stop()
  })

  async function openPage(path: string): Promise<Page> {
    return await openScene({ name: path, path, isPublic: publicPaths.includes(path) })
  }

  async function openScene({ path, isPublic, prepare, open }: Scene): Promise<Page> {
    const page = await (isPublic ? anonymous : signedIn).newPage()
    page.setDefaultTimeout(20_000)
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
    await prepare?.(page)
    await page.goto(`${stack.url}${path}${path === '/transcribe' ? suffixes[path] : ''}`)
    await page.getByRole('heading').first().waitFor()
    // One that is empty stays: it announces what comes later.
    await page.getByRole('status').filter({ hasText: /\S/ }).first().waitFor({ state: 'detached' })
    await open?.(page)
    await page.getByText(/^(Loading|Preparing)/).waitFor({ state: 'detached' })
    return page
  }

  async function expectAccessible(page: Page) {
    for (const scheme of schemes) {
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
      await page.locator(`html[data-mantine-color-scheme=${scheme}]`).waitFor()
      // Colours change by transitions, which reduced motion shortens to less than a frame.
      await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))')
      // Inherited colours reach the innermost element some frames later, even with the shortest transitions.
      await page.waitForFunction('!document.getAnimations().some((each) => each instanceof CSSTransition)')
      expect({ scheme, violations: await listAxeViolations(page) }).toEqual({ scheme, violations: [] })
    }
  }

  async function expectNoOverflow(page: Page) {
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 })
      // An open menu is repositioned a moment after the window was resized.
      await vi.waitFor(
        async () => {
          const overflow = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')
          expect({ width, overflow }).toEqual({ width, overflow: 0 })
        },
        { timeout: 20_000 },
      )
    }
  }

  it.each([...publicPaths, ...userPaths])('%s is accessible in both schemes and never too wide', async (path) => {
    const page = await openPage(path)
    await expectAccessible(page)
    await expectNoOverflow(page)
    await page.close()
  })

  it.each(scenes)('$name is accessible in both schemes and never too wide', async (scene) => {
    const page = await openScene(scene)
    await expectAccessible(page)
    await expectNoOverflow(page)
    await page.close()
  })

  it('supports sign-in by keyboard alone', async () => {
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.goto(`${stack.url}/login`)
    await page.getByLabel('Email', { exact: true }).waitFor()
    await page.keyboard.type(stack.admin.email)
    await page.keyboard.press('Tab')
    await page.keyboard.type(adminPassword)
    await page.keyboard.press('Enter')
    await page.getByText('Login successful!').waitFor()
    await context.close()
  })

  /** Presses Tab until an element has the focus. */
  async function tabTo(page: Page, element: Locator) {
    for (let presses = 0; presses < 80; presses++) {
      if (await element.evaluate((node) => node === document.activeElement)) return
      await page.keyboard.press('Tab')
    }
    throw new Error(`Tab does not reach ${String(element)}`)
  }

  it('opens the page of a user and leaves it by keyboard alone', async () => {
    const page = await openPage('/admin')
    await tabTo(page, page.getByRole('button', { name: /^Actions for admin/ }))
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'View Details' }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.getByRole('menuitem', { name: 'View Details' }).press('Enter')
    await page.getByRole('region', { name: 'Recent sign-in attempts' }).waitFor()
    await tabTo(page, page.getByRole('link', { name: 'All users' }))
    await page.keyboard.press('Enter')
    await page.getByRole('table', { name: 'Users' }).waitFor()
    await page.close()
  })
})
