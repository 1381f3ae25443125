import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { isolateName } from '#contract/isolated-name.ts'
import { lacks } from '#testing/needs.ts'
import { storeLongCall } from '#testing/long-call.ts'
import { listAxeViolations } from './axe.ts'
import { translate, translatePattern } from './reader-language.ts'
import { leaveBrowser, shareBrowser } from './shared-browser.ts'
import { giveCall, shareStack, signedIn, type SharedStack } from './shared-stack.ts'
import { withDatabase } from './stack-users.ts'

/** A busy machine can take seconds to render a frame. */
const waitOptions = { timeout: 20_000 }

describe.skipIf(lacks('chromium'))('the conversation in a browser', () => {
  let stack: SharedStack
  let browser: Browser
  let page: Page
  let demoUrl: string

  beforeAll(async () => {
    stack = await shareStack({ mustChangePassword: false })
    browser = await shareBrowser()
    demoUrl = `${stack.url}/transcribe?recording=${await giveCall(stack, { isTranslated: true })}`
    const view = { viewport: { width: 1280, height: 720 }, reducedMotion: 'reduce' } as const
    // The page's policy forbids injected scripts, and axe is one.
    const context = await browser.newContext({ ...view, ...(await signedIn(stack)), bypassCSP: true })
    page = await context.newPage()
    page.setDefaultTimeout(20_000)
    await page.goto(demoUrl)
    await row('bring the weapon').waitFor()
  }, 300_000)

  afterAll(async () => {
    await leaveBrowser(browser)
  })

  const list = () => page.getByRole('list', { name: 'Transcript Timeline' })
  const rows = () => list().getByRole('listitem')
  const row = (text: string) => rows().filter({ hasText: text })
  const search = () => page.getByRole('searchbox', { name: 'Search the conversation' })
  const position = () => page.getByRole('status').filter({ hasText: translatePattern(/^(Match|No matches)/) })
  const waitForMatch = (number: number) =>
    position()
      .filter({ hasText: translatePattern(new RegExp(`^Match ${number} `)) })
      .waitFor()
  const filter = (name: string | RegExp) => page.getByRole('group', { name: 'Filters' }).getByRole('button', { name })
  const activeText = () => page.evaluate('document.activeElement?.textContent ?? ""') as Promise<string>

  async function choose(view: string) {
    await page.getByRole('button', { name: 'View', exact: true }).click()
    await page.getByRole('menuitemradio', { name: view }).click()
  }

  it('finds a word in another spelling and goes through the matches by mouse and keyboard', async () => {
    // Typed with the Persian yeh in place of both Pashto yehs.
    await page.keyboard.press('/')
    await search().pressSequentially('پیسی')
    await vi.waitFor(async () => expect(await position().textContent()).toBe(translate('Match 1 of 1')), waitOptions)
    expect(await list().locator('[data-match=current]').textContent()).toBe('پیسې')
    await search().press('Escape')
    await vi.waitFor(async () => expect(await activeText()).toContain('پیسې'), waitOptions)
    await page.keyboard.press('Home')
    // The search starts at the active row.
    await vi.waitFor(async () => expect(await activeText()).toBe(await rows().first().textContent()), waitOptions)
    await search().fill('brother')
    await waitForMatch(1)
    await page.getByRole('button', { name: 'Next match' }).click()
    await waitForMatch(2)
    await page.keyboard.press('F3')
    await waitForMatch(3)
    await page.getByRole('button', { name: 'Previous match' }).click()
    await search().press('Shift+Enter')
    await waitForMatch(1)
    await search().press('Escape')
    expect(await search().inputValue()).toBe('')
    await vi.waitFor(async () => expect(await activeText()).toContain('brother'), waitOptions)
  })

  it('tells of a keyword on hover and on focus, and is reached with one Tab', async () => {
    await row('bring the weapon').getByText('weapon').hover()
    await page
      .getByRole('tooltip', { name: `${translate('Threats')}: weapon · ${isolateName(translate('Left Channel'))}` })
      .waitFor()
    await row('bring the weapon').click({ position: { x: 4, y: 4 } })
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.getByRole('tooltip', { name: new RegExp(`^${translate('Threats')}: `) }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('tooltip').waitFor({ state: 'detached' })
    await page.keyboard.press('Home')
    await vi.waitFor(async () => expect(await activeText()).toContain('سلام'), waitOptions)
    await page.keyboard.press('ArrowDown')
    await vi.waitFor(async () => expect(await activeText()).toContain('hello my brother'), waitOptions)
    await page.keyboard.press('Enter')
    await list().locator('[aria-current]').filter({ hasText: 'hello my brother' }).waitFor()
  })

  it('shows the lines of one speaker, those with hits, and both', async () => {
    const all = await rows().count()
    await filter('Only Right Channel').click()
    await vi.waitFor(async () => expect(await rows().count()).toBeLessThan(all), waitOptions)
    expect(await list().locator('[lang=ps]').count()).toBe(0)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Space')
    await row('do not go').waitFor({ state: 'detached' })
    for (const name of ['Only Right Channel', /^Only hits/]) await filter(name).click()
    await vi.waitFor(async () => expect(await rows().count()).toBe(all), waitOptions)
  })

  it('shows each speaker under a heading, and the texts one over the other or alone', async () => {
    await choose('By speaker')
    await list()
      .getByRole('heading', { name: /Left Channel/ })
      .waitFor()
    await choose('By time')
    await choose('Stacked')
    await choose('Translation only')
    await list().locator('[lang=ps]').first().waitFor({ state: 'detached' })
    await choose('Side by side')
    await list().locator('[lang=ps][dir=rtl]').first().waitFor()
    expect(await listAxeViolations(page, `[aria-label="${translate('Conversation')}"]`)).toEqual([])
  })

  it('has room for twelve lines on a laptop of 1366 by 768', async () => {
    const { recordingId } = await withDatabase(stack, (database) =>
      storeLongCall(database, stack.admin.id, { minutes: 5 }),
    )
    await page.setViewportSize({ width: 1366, height: 768 })
    await page.goto(`${stack.url}/transcribe?recording=${recordingId}`)
    await rows().nth(3).waitFor()
    const [room = 0, lowest = 0] = await list().evaluate((element) => {
      const heights = [...element.children].map((row) => row.getBoundingClientRect().height)
      return [element.parentElement?.clientHeight ?? 0, Math.min(...heights)]
    })
    expect(Math.floor(room / lowest)).toBeGreaterThanOrEqual(12)
    await page.setViewportSize({ width: 1280, height: 720 })
  })

  it('renders a call of an hour in few elements, and goes to uncertain lines by filter and key', async () => {
    const { recordingId } = await withDatabase(stack, (database) =>
      storeLongCall(database, stack.admin.id, { minutes: 60 }),
    )
    await page.goto(`${stack.url}/transcribe?recording=${recordingId}`)
    await rows().first().waitFor()
    expect(await rows().count()).toBeLessThan(40)
    expect(await page.locator('*').count()).toBeLessThan(2500)
    await rows()
      .first()
      .click({ position: { x: 4, y: 4 } })
    await page.keyboard.press('End')
    await vi.waitFor(async () => expect(await activeText()).toContain('59:5'), waitOptions)
    await page.keyboard.press('Home')
    await page.keyboard.press('u')
    const uncertain = page.locator('li:focus').getByTitle(/^Uncertain: confidence/)
    await uncertain.first().waitFor()
    await filter(/^Only uncertain/).click()
    await vi.waitFor(async () => {
      const marked = await rows()
        .filter({ has: page.getByTitle(/^Uncertain: confidence/) })
        .count()
      expect(marked).toBe(await rows().count())
    }, waitOptions)
    await page.goto(demoUrl)
    await row('bring the weapon').waitFor()
  })
})
