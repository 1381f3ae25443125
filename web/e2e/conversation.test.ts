import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { connectDatabase } from '#data/connect.ts'
import { createUserRepository } from '#data/users/users.ts'
import { launchBrowser } from '#testing/browser.ts'
import { findChromium } from '#testing/chromium.ts'
import { storeLongCall } from '#testing/long-call.ts'
import { startStack, type Stack } from '#testing/stack.ts'
import { listAxeViolations } from './axe.ts'
import { signInAsFirstAdmin } from './sign-in.ts'

const sample = join(dirname(dirname(import.meta.dirname)), 'models/demo/sample-call.mp3')
const jobTimeoutMs = 150_000
/** A busy machine takes seconds for a frame. */
const waitOptions = { timeout: 20_000 }

/** Stores a finished call of an hour for the first admin. */
async function storeCall({ dataDir, admin }: Stack): Promise<string> {
  const database = await connectDatabase({ mongodbUri: (await readFile(join(dataDir, 'db/uri'), 'utf8')).trim() })
  try {
    const owner = await createUserRepository(database.connection).findByEmail(admin.email)
    if (!owner) throw new Error('There is no first admin')
    return (await storeLongCall(database, owner.id, { minutes: 60 })).recordingId
  } finally {
    await database.close()
  }
}

describe.skipIf(!findChromium())('the conversation in a browser', () => {
  let stack: Stack
  let browser: Browser
  let page: Page
  let demoUrl: string

  beforeAll(async () => {
    stack = await startStack()
    browser = await launchBrowser()
    // The page's policy forbids injected scripts, and axe is one.
    const context = await browser.newContext({ viewport: { width: 1280, height: 720 }, bypassCSP: true })
    page = await context.newPage()
    page.setDefaultTimeout(20_000)
    await signInAsFirstAdmin(page, stack)
    await page.locator('input[type=file]').first().setInputFiles(sample)
    await page.getByRole('heading', { level: 1, name: 'sample-call.mp3' }).waitFor()
    await page.getByRole('combobox', { name: 'Right Channel' }).click()
    await page.getByRole('option', { name: 'English' }).click()
    await page.getByRole('button', { name: 'Start Dual Speaker Transcription' }).click()
    // Only a finished transcript can be repeated, and translated.
    await page.getByRole('button', { name: 'Retranscribe' }).waitFor({ timeout: jobTimeoutMs })
    await page.getByRole('button', { name: 'Start AI Translation' }).click()
    await row('bring the weapon').waitFor({ timeout: jobTimeoutMs })
    demoUrl = page.url()
  }, 300_000)

  afterAll(async () => {
    await browser?.close()
    await stack?.stop()
  })

  const list = () => page.getByRole('list', { name: 'Transcript Timeline' })
  const rows = () => list().getByRole('listitem')
  const row = (text: string) => rows().filter({ hasText: text })
  const search = () => page.getByRole('searchbox', { name: 'Search the conversation' })
  const position = () => page.getByRole('status').filter({ hasText: /match/i })
  const waitForMatch = (number: number) =>
    position()
      .filter({ hasText: `Match ${number} of` })
      .waitFor()
  const filter = (name: string | RegExp) => page.getByRole('group', { name: 'Filters' }).getByRole('button', { name })
  const activeText = () => page.evaluate('document.activeElement?.textContent ?? ""') as Promise<string>

  async function choose(view: string) {
    await page.getByRole('button', { name: 'View', exact: true }).click()
    await page.getByRole('menuitemradio', { name: view }).click()
  }

  it('finds a word in another spelling and goes through the matches by mouse and keyboard', async () => {
    // With the Persian yeh for both yehs of Pashto.
    await page.keyboard.press('/')
    await search().pressSequentially('پیسی')
    await vi.waitFor(async () => expect(await position().textContent()).toBe('Match 1 of 1'), waitOptions)
    expect(await list().locator('[data-match=current]').textContent()).toBe('پیسې')
    await search().press('Escape')
    await vi.waitFor(async () => expect(await activeText()).toContain('پیسې'), waitOptions)
    await page.keyboard.press('Home')
    // The search begins at the active row.
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
    await page.getByRole('tooltip', { name: 'Threats: weapon · Left Channel' }).waitFor()
    await row('bring the weapon').click({ position: { x: 4, y: 4 } })
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.getByRole('tooltip', { name: /^Threats: / }).waitFor()
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
    expect(await listAxeViolations(page, '[aria-label=Conversation]')).toEqual([])
  })

  it('renders a call of an hour in few elements, and goes to uncertain lines by filter and key', async () => {
    const id = await storeCall(stack)
    await page.goto(`${stack.url}/transcribe?recording=${id}`)
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
    const uncertain = page.locator('li:focus [title^="Uncertain: confidence"]')
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
