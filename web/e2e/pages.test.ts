import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { lacks } from '#testing/needs.ts'
import { authPaths, pageList } from '../src/app/page-list.ts'
import { colourRules, listAxeViolations } from './axe.ts'
import { adminPassword } from './sign-in.ts'
import { createUser, testUser } from './admin-scenes.ts'
import { createDialogFixtures } from './dialog-data.ts'
import { dialogGroups } from './dialog-groups.ts'
import { navigate } from './navigate.ts'
import type { Scene } from './scene-tools.ts'
import { scenes } from './scenes.ts'
import { listUntranslated, markTexts } from './untranslated.ts'
import { leaveBrowser, shareBrowser } from './shared-browser.ts'
import { giveCall, shareStack, signedIn, type SharedStack } from './shared-stack.ts'

const schemes = ['light', 'dark'] as const
type Scheme = (typeof schemes)[number]
/** The widest is also the width of the accessibility checks, and comes first because the page is already laid out at it. */
const widths = [1366, 768, 360]
const viewport = { width: 1366, height: 800 }

interface AccessibilityOptions {
  /** Selects the part that is checked. */
  selector?: string
  /** All rules are checked in the first scheme, and only the color rules in the others. */
  inSchemes?: readonly Scheme[]
}

interface OverflowOptions {
  /** Default: all widths. */
  at?: number[]
  expectAtWidth?: (page: Page) => Promise<void>
}

const openedSelector = '[role=dialog], [role=menu]'

/** Parameters for pages that redirect when they are missing. */
const suffixes: Record<string, string> = { '/reset-password': '?token=example', '/verify-email': '' }
const publicPaths: string[] = [
  ...authPaths,
  ...Object.values(pageList)
    .filter(({ access, path }) => access === 'public' && path !== '/registration-2fa')
    .map(({ path }) => `${path}${suffixes[path] ?? ''}`),
]
const userPaths: string[] = Object.values(pageList)
  .filter(({ access }) => access !== 'public')
  .map(({ path }) => path)

/** Scenes that load the app come last: the scene after each of them has to load it too. */
const scenesByLoad = [...scenes.filter(({ prepare }) => !prepare), ...scenes.filter(({ prepare }) => prepare)]

/** The sign-in pages and the print page: they have neither header nor footer. */
const framelessPaths = [
  ...authPaths,
  '/verify-email',
  '/reset-password',
  '/invitation',
  '/stop-address-change',
  '/sso',
  '/transcribe/print',
]

describe.skipIf(lacks('chromium'))('every page', () => {
  let stack: SharedStack
  let browser: Browser
  // One browser page for all public pages and one for the others: a new one compiles the whole app again.
  let member: Page
  let anonymous: Page
  let caseId: string
  /** The pages in which the app runs with unmodified responses of the server. */
  const running = new Set<Page>()

  beforeAll(async () => {
    stack = await shareStack({ mustChangePassword: false })
    browser = await shareBrowser()
    suffixes['/transcribe'] = `?recording=${await giveCall(stack)}`
    suffixes[pageList.print.path] = suffixes['/transcribe']
    // The page's policy forbids injected scripts, and axe is one.
    const options = { bypassCSP: true, reducedMotion: 'reduce' } as const
    member = await browser.newPage({ ...options, ...(await signedIn(stack)) })
    anonymous = await browser.newPage(options)
    for (const page of [member, anonymous]) {
      page.setDefaultTimeout(20_000)
      await markTexts(page)
    }
    caseId = await createDialogFixtures(stack)
    await createUser(member, stack.url, { ...testUser, password: adminPassword })
  }, 240_000)

  afterAll(async () => {
    await leaveBrowser(browser)
  })

  async function openPage(path: string): Promise<Page> {
    return await openScene({ name: path, path, isPublic: publicPaths.includes(path) })
  }

  async function openScene({ path, isPublic, prepare, prepareAction, open }: Scene): Promise<Page> {
    const page = isPublic ? anonymous : member
    // On a page that polls, a handler may still be processing a request.
    await page.unrouteAll({ behavior: 'wait' })
    await (prepare ?? prepareAction)?.(page)
    const address = `${path}${userPaths.includes(path) ? (suffixes[path] ?? '') : ''}`
    // With modified responses, nothing may be cached from before, nor kept for the next scene.
    if (prepare || !running.has(page)) {
      await resetView(page)
      await page.goto(`${stack.url}${address}`)
    } else await navigate(page, address, { onTheWay: () => resetView(page) })
    if (prepare) running.delete(page)
    else running.add(page)
    await page.getByRole('heading').first().waitFor()
    // An empty status stays: it is for later announcements.
    await page.getByRole('status').filter({ hasText: /\S/ }).first().waitFor({ state: 'detached' })
    await open?.(page)
    await page.getByText(/^(Loading|Preparing)/).waitFor({ state: 'detached' })
    expect(await listUntranslated(page)).toEqual([])
    return page
  }

  async function resetView(page: Page) {
    await page.setViewportSize(viewport)
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  }

  async function expectAccessible(page: Page, { selector = 'html', inSchemes = schemes }: AccessibilityOptions = {}) {
    for (const scheme of inSchemes) {
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
      await page.locator(`html[data-mantine-color-scheme=${scheme}]`).waitFor()
      // With reduced motion, colors change at once, without transitions, which restyle the whole page in every frame.
      expect(await page.evaluate('document.getAnimations().some((each) => each instanceof CSSTransition)')).toBe(false)
      const rules = scheme === inSchemes[0] ? undefined : colourRules
      expect({ scheme, violations: await listAxeViolations(page, selector, rules) }).toEqual({ scheme, violations: [] })
    }
  }

  async function expectNoOverflow(page: Page, { at = widths, expectAtWidth }: OverflowOptions = {}) {
    for (const width of at) {
      await page.setViewportSize({ width, height: 800 })
      await expectAtWidth?.(page)
      // An open menu is repositioned a moment after the window is resized.
      await vi.waitFor(
        async () => {
          const overflow = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')
          expect({ width, overflow }).toEqual({ width, overflow: 0 })
        },
        { timeout: 20_000 },
      )
    }
  }

  /** Expects what is open on a page to be translated, accessible and never too wide. The page behind it is checked elsewhere. */
  async function expectOpened(page: Page, name: string, inSchemes: readonly Scheme[]) {
    await page.locator(openedSelector).first().waitFor()
    await page.getByText(/^(Loading|Preparing)/).waitFor({ state: 'detached' })
    expect({ name, untranslated: await listUntranslated(page) }).toEqual({ name, untranslated: [] })
    await expectAccessible(page, { selector: openedSelector, inSchemes })
    await expectNoOverflow(page, { at: [360] })
  }

  async function closeOpened(page: Page) {
    const opened = page.locator(openedSelector)
    if ((await opened.count()) === 0) return
    // The first press may only close a list inside a dialog; what leaves the keys to the player closes on a click outside.
    await vi.waitFor(async () => {
      await page.keyboard.press('Escape')
      await page.mouse.click(0, 0)
      expect(await opened.evaluateAll((all) => all.map((each) => each.textContent))).toEqual([])
    })
  }

  /** Expects the header, which names the signed-in user, and the footer (accounts specification, section 2). */
  async function expectFrame(page: Page) {
    const [header, footer] = [page.getByRole('banner'), page.getByRole('contentinfo')]
    await header.getByRole('link', { name: /^Awaz/ }).waitFor()
    if (page === member) {
      await header.getByText(stack.admin.username, { exact: true }).waitFor()
      await header.getByText(stack.admin.email, { exact: true }).waitFor()
    }
    for (const name of ['Terms of Service', 'Privacy Policy', 'Support']) {
      await footer.getByRole('link', { name }).waitFor()
    }
  }

  it.each([...publicPaths, ...userPaths])('%s is framed, accessible in both schemes, never too wide', async (path) => {
    const page = await openPage(path)
    await expectAccessible(page)
    const isFrameless = framelessPaths.some((bare) => path.startsWith(bare))
    await expectNoOverflow(page, isFrameless ? {} : { expectAtWidth: expectFrame })
  })

  it.each([360, 768, 1366])('/dashboard leaves its list most of the window at %i pixels', async (width) => {
    const page = await openPage('/dashboard')
    await page.setViewportSize({ width, height: 800 })
    for (const name of ['Two speakers, kept apart', 'Translated line by line', 'Scanned for your keywords']) {
      await page.getByRole('heading', { name }).waitFor()
    }
    const list = await page.getByRole('region', { name: 'Recent Activity' }).boundingBox()
    expect(list?.height).toBeGreaterThan(400)
  })

  it.each(scenesByLoad)('$name is accessible in both schemes and never too wide', async (scene) => {
    const page = await openScene(scene)
    await expectAccessible(page)
    await expectNoOverflow(page)
  })

  it.each(dialogGroups)('what opens on $path is accessible in both schemes and never too wide', async (group) => {
    const { prepare, begin, dialogs, end } = group
    const page = await openScene({
      name: group.path,
      path: group.path.replace('CASE', caseId),
      ...(prepare && { prepare }),
    })
    await begin?.(page)
    // Each starts in the scheme in which the previous one ended: switching restyles the whole page.
    let inSchemes: readonly Scheme[] = schemes
    for (const [name, open] of Object.entries(dialogs)) {
      await page.setViewportSize(viewport)
      await closeOpened(page)
      await open(page)
      await expectOpened(page, name, inSchemes)
      inSchemes = inSchemes.toReversed()
    }
    await end?.(page)
  })

  it.each(['/dashboard', '/transcribe'])('%s shows at every width who is signed in and how', async (path) => {
    const person = { first_name: 'زرغونه', last_name: 'Ana', two_factor_enabled: true, is_verified: false }
    const page = await openScene({
      name: path,
      path,
      prepare: (each) =>
        each.route('**/api/auth/profile', async (route) => {
          const response = await route.fetch()
          const body: { user: object } = await response.json()
          await route.fulfill({ response, json: { ...body, user: { ...body.user, ...person } } })
        }),
    })
    const header = page.getByRole('banner')
    await expectNoOverflow(page, {
      async expectAtWidth() {
        await header.getByText('زرغونه Ana', { exact: true }).waitFor()
        await header.getByText(stack.admin.email, { exact: true }).waitFor()
        await header.getByLabel('Two-factor enabled').waitFor()
        await header.getByText('Unverified').waitFor()
      },
    })
  })

  it('supports sign-in by keyboard alone', async () => {
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.goto(`${stack.url}/login`)
    await page.getByLabel('Email', { exact: true }).waitFor()
    await page.keyboard.type(stack.admin.email)
    await page.keyboard.press('Tab')
    await page.keyboard.type(stack.admin.password)
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
    const page = await openPage(`/admin?q=${stack.admin.username}`)
    await tabTo(page, page.getByRole('button', { name: `Actions for ${stack.admin.username}` }))
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'View Details' }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.getByRole('menuitem', { name: 'View Details' }).press('Enter')
    await page.getByRole('region', { name: 'Recent sign-in attempts' }).waitFor()
    await tabTo(page, page.getByRole('link', { name: 'All users' }))
    await page.keyboard.press('Enter')
    await page.getByRole('table', { name: 'Users' }).waitFor()
  })
})
