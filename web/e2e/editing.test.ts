import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { callApi } from '#testing/api-calls.ts'
import { lacks } from '#testing/needs.ts'
import { listAxeViolations } from './axe.ts'
import { runJob } from './shared-call.ts'
import { leaveBrowser, shareBrowser } from './shared-browser.ts'
import { giveCall, shareStack, signedIn, type SharedStack } from './shared-stack.ts'
import { signInForApi } from './stack-users.ts'

const view = { viewport: { width: 1366, height: 800 }, reducedMotion: 'reduce' } as const
const setUpTimeoutMs = 240_000
/** As patient as the page's own waits: a busy machine can take seconds to render a frame. */
const waitOptions = { timeout: 20_000 }

describe.skipIf(lacks('chromium'))('editing a transcript', () => {
  let stack: SharedStack
  let browser: Browser
  let context: BrowserContext
  let page: Page
  /** A page in another browser. */
  let other: Page
  let token: string
  let id: string

  beforeAll(async () => {
    stack = await shareStack({ mustChangePassword: false })
    browser = await shareBrowser()
    // The page's policy forbids injected scripts, and axe is one.
    context = await browser.newContext({ ...view, ...(await signedIn(stack)), bypassCSP: true })
    page = await context.newPage()
    page.setDefaultTimeout(20_000)
    token = (await signInForApi(stack.url, stack.admin)).access_token
    id = await giveCall(stack)
    await open(page)
    other = await browser.newPage({ ...view, ...(await signedIn(stack)) })
    other.setDefaultTimeout(20_000)
    await open(other)
  }, setUpTimeoutMs)

  afterAll(async () => {
    await leaveBrowser(browser)
  })

  async function details() {
    const Details = z.object({ speaker_corrections: z.object({ moved: z.array(z.unknown()) }) })
    return await callApi(Details, `${stack.url}/api/recordings/${id}`, { token })
  }

  async function open(tab: Page) {
    await tab.goto(`${stack.url}/transcribe?recording=${id}`)
    await rows(tab).first().waitFor()
  }

  const rows = (tab = page) => tab.getByRole('list', { name: 'Transcript Timeline' }).locator('[data-line]')
  /** The total number of lines; the list renders only those in view. */
  const lineCount = async () => Number(await rows().first().getAttribute('aria-setsize'))
  const row = (text: string, tab = page) => rows(tab).filter({ hasText: text })
  const field = (tab = page) => tab.getByRole('textbox', { name: /^Text of the line at/ })
  const untilSaved = (tab = page) => tab.getByRole('group', { name: 'Changes' }).getByText('Saved').waitFor()
  const undoButton = (what: string) => page.getByRole('button', { name: `Undo: ${what}` })
  const unsaved = () => page.getByText(/^Could not be saved/)

  /** Adds words to the end of a line, and closes the editor. */
  async function append(text: string, words: string, tab = page) {
    await row(text, tab).dblclick()
    await tab.keyboard.type(words)
    await tab.keyboard.press('Enter')
    await tab.keyboard.press('Escape')
    await field(tab).waitFor({ state: 'detached' })
  }

  async function pick(line: string, item: string | RegExp, role: 'menuitem' | 'menuitemradio' = 'menuitem') {
    await row(line).hover()
    await row(line)
      .getByRole('button', { name: /^Actions for the line/ })
      .click()
    await page.getByRole(role, { name: item }).click()
    await page.getByRole('menu').waitFor({ state: 'detached' })
  }

  it('corrects, splits, joins and moves lines by mouse, takes all back, and keeps them over a reload', async () => {
    const count = await lineCount()
    await row('hello my brother').dblclick()
    await field().fill('hello my dear brother')
    await untilSaved()
    await field().press('Escape')
    await row('hello my brother').waitFor()
    await undoButton('Line corrected').click()
    await row('hello my dear brother').getByText('edited').waitFor()

    await pick('hello my dear brother', 'Edit')
    await field().evaluate((element: HTMLTextAreaElement) => element.setSelectionRange(9, 9))
    await row('')
      .filter({ has: field() })
      .getByRole('button', { name: /^Actions/ })
      .click()
    await page.getByRole('menuitem', { name: 'Split at the caret' }).click()
    await vi.waitFor(async () => expect(await lineCount()).toBe(count + 1), waitOptions)
    expect(await field().inputValue()).toBe('dear brother')
    await field().press('Escape')

    await pick('hello my', /^Join with the next line/)
    await row('hello my dear brother').waitFor()
    await pick('hello my dear brother', /Left Channel$/, 'menuitemradio')
    await row('hello my dear brother').getByTitle('Left Channel').waitFor()
    await untilSaved()
    await vi.waitFor(async () => expect((await details()).speaker_corrections.moved).toHaveLength(1), waitOptions)

    await page.reload()
    await row('hello my dear brother').getByTitle('Left Channel').waitFor()
    expect(await lineCount()).toBe(count)
    await pick('hello my dear brother', /^Return to what the model wrote/)
    await rows()
      .filter({ hasText: /hello my brother/ })
      .waitFor()
    await untilSaved()
  })

  it('does the same by keyboard alone', async () => {
    const count = await lineCount()
    await row('where is the money').getByRole('button').first().focus()
    await page.keyboard.press('e')
    await page.keyboard.type(' now')
    await page.keyboard.press('Enter')
    await row('where is the money now').waitFor()
    await page.keyboard.press('ArrowUp')
    await vi.waitFor(async () => expect(await field().inputValue()).toBe('where is the money now'), waitOptions)
    for (let step = 0; step < 'money now'.length; step += 1) await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Control+Enter')
    await vi.waitFor(async () => expect(await field().inputValue()).toBe('money now'), waitOptions)
    expect(await lineCount()).toBe(count + 1)
    await page.keyboard.press('Backspace')
    await vi.waitFor(async () => expect(await field().inputValue()).toBe('where is the money now'), waitOptions)
    expect(await lineCount()).toBe(count)
    await page.keyboard.press('Escape')
    for (const text of ['money now', 'where is the money now']) {
      await page.keyboard.press('Control+z')
      await row(text).first().waitFor()
    }
    await page.keyboard.press('Control+z')
    const original = row('where is the money').filter({ hasNotText: 'now' })
    await original.waitFor()
    await page.keyboard.press('Control+Shift+Z')
    await row('where is the money now').waitFor()

    const pickByKeyboard = async (item: Locator) => {
      await row('where is the money')
        .getByRole('button', { name: /^Actions for the line/ })
        .focus()
      await page.keyboard.press('Enter')
      await item.press('Enter')
      await page.getByRole('menu').waitFor({ state: 'detached' })
    }
    await pickByKeyboard(page.getByRole('menuitemradio', { name: /Left Channel$/ }))
    await row('where is the money').getByTitle('Left Channel').waitFor()
    await page.keyboard.press('Control+z')
    await row('where is the money').getByTitle('Right Channel').waitFor()
    await pickByKeyboard(page.getByRole('menuitem', { name: /^Return to what the model wrote/ }))
    await original.waitFor()
    await untilSaved()
  })

  it('merges what two people change in different lines', async () => {
    await row('my brother is angry').dblclick()
    await page.keyboard.type(' and')
    await append('do not go', ' at all', other)
    await row('do not go to the market tomorrow at all').waitFor()
    // The open editor keeps its caret and its text.
    await page.keyboard.type(' tired')
    expect(await field().inputValue()).toMatch(/ and tired$/)
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    await row('and tired', other).waitFor()
  })

  it.each([
    ['Keep mine', 'tired mine'],
    ['Keep theirs', 'mine theirs'],
  ])('asks where both changed the same line: %s', async (choice, kept) => {
    await context.setOffline(true)
    await append('and tired', ' theirs', other)
    await untilSaved(other)
    await append('and tired', ' mine')
    await unsaved().waitFor()
    await context.setOffline(false)
    const dialog = page.getByRole('dialog', { name: 'Changed here and elsewhere' })
    await dialog.getByRole('region', { name: 'Theirs' }).locator('mark').getByText('theirs').waitFor()
    expect(await listAxeViolations(page)).toEqual([])
    await dialog.getByRole('button', { name: choice }).click()
    await dialog.waitFor({ state: 'detached' })
    for (const tab of [page, other]) await row(kept, tab).waitFor()
    await untilSaved()
  })

  it('keeps what was edited without a network over a reload', async () => {
    await page.route('**/lines', (route) => route.abort())
    await append('hello my brother', ' offline')
    await unsaved().waitFor()
    const warnings: string[] = []
    page.on('dialog', (dialog) => {
      warnings.push(dialog.type())
      void dialog.accept()
    })
    await page.reload()
    expect(warnings).toEqual(['beforeunload'])
    await row('hello my brother offline').waitFor()
    await unsaved().waitFor()
    await page.unroute('**/lines')
    await page.getByRole('button', { name: 'Retry' }).click()
    await row('hello my brother offline', other).waitFor()
    await page.reload()
    await row('hello my brother offline').waitFor()
    expect(warnings).toHaveLength(1)
  })

  /** Presses a key until a control has the focus. */
  async function pressUntil(key: string, control: Locator) {
    await control.waitFor()
    for (let count = 0; count < 40; count += 1) {
      if (await control.evaluate((element) => element === document.activeElement)) return
      await page.keyboard.press(key)
    }
    throw new Error('The control is not reached')
  }

  it('compares and restores the version before a retranscription', async () => {
    await runJob(stack.url, token, '/api/transcribe', { file_id: id, language: 'en', force: true })
    await page.getByRole('tab', { name: /^Versions/ }).click()
    await page.getByRole('button', { name: 'Compare version 1' }).click()
    const lines = page.getByRole('list', { name: 'Lines of both versions' })
    await lines.locator('mark').first().waitFor()
    expect(await listAxeViolations(page)).toEqual([])
    const comparison = page.getByRole('dialog', { name: 'Compare versions' })
    await comparison.getByRole('button', { name: 'Restore version 1' }).click()
    await page.getByRole('dialog', { name: 'Restore version 1?' }).getByRole('button', { name: 'Restore' }).click()
    await row('offline').waitFor()
    expect(await rows().locator('[lang=ps]').count()).toBeGreaterThan(1)
    const versions = page.getByRole('list', { name: 'Versions' }).getByRole('listitem')
    expect(await versions.count()).toBe(2)
    await versions.last().getByText('Current').waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  it('compares and restores a version by keyboard alone', async () => {
    await page.getByRole('tab', { name: /^Versions/ }).focus()
    await pressUntil('Tab', page.getByRole('button', { name: 'Compare version 2' }))
    await page.keyboard.press('Enter')
    const comparison = page.getByRole('dialog', { name: 'Compare versions' })
    await comparison.waitFor()
    await comparison.getByRole('list', { name: 'Lines of both versions' }).locator('mark').first().waitFor()
    await pressUntil('Tab', comparison.getByRole('button', { name: 'Restore version 2' }))
    await page.keyboard.press('Enter')
    const question = page.getByRole('dialog', { name: 'Restore version 2?' })
    await question.waitFor()
    await pressUntil('Tab', question.getByRole('button', { name: 'Restore', exact: true }))
    await page.keyboard.press('Enter')
    const versions = page.getByRole('list', { name: 'Versions' }).getByRole('listitem')
    await versions.first().getByText('Current').waitFor()
  })
})
