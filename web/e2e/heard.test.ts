import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { lacks } from '#testing/needs.ts'
import { listAxeViolations } from './axe.ts'
import { leaveBrowser, shareBrowser } from './shared-browser.ts'
import { giveCall, shareStack, signedIn, type SharedStack } from './shared-stack.ts'

const setUpTimeoutMs = 240_000
const waitOptions = { timeout: 20_000 }

describe.skipIf(lacks('chromium'))('what was heard and verified', () => {
  let stack: SharedStack
  let browser: Browser
  let page: Page
  let address: string

  beforeAll(async () => {
    stack = await shareStack({ mustChangePassword: false })
    browser = await shareBrowser()
    address = `${stack.url}/transcribe?recording=${await giveCall(stack)}`
    const view = { viewport: { width: 1366, height: 800 }, reducedMotion: 'reduce' } as const
    page = await (await browser.newContext({ ...view, ...(await signedIn(stack)), bypassCSP: true })).newPage()
    page.setDefaultTimeout(20_000)
    await page.goto(address)
    await rows().first().waitFor()
  }, setUpTimeoutMs)

  afterAll(async () => {
    await leaveBrowser(browser)
  })

  const rows = () => page.getByRole('list', { name: 'Transcript Timeline' }).locator('[data-line]')
  const heard = () => rows().getByRole('img', { name: 'Heard' })

  it('is heard on the channel that was audible alone, and stays so over a reload', async () => {
    await page.getByRole('button', { name: /^Listening/ }).click()
    await page.getByRole('button', { name: 'Solo the left channel' }).click()
    await page.keyboard.press('Escape')
    for (const _ of [1, 2, 3, 4, 5]) await page.keyboard.press('F7')
    await page.keyboard.press('F4')
    await vi.waitFor(async () => expect(await heard().count()).toBeGreaterThanOrEqual(3), { timeout: 60_000 })
    await page.keyboard.press('F4')
    await page.reload()
    await heard().first().waitFor()
    const left = rows().filter({ has: page.getByRole('img', { name: 'Heard' }) })
    const speakers = await left.locator('[data-voice]').allInnerTexts()
    expect(new Set(speakers.map((name) => name.trim()))).toEqual(new Set(['A']))
  }, 180_000)

  it('is verified by key alone, line after line', async () => {
    await rows().first().click()
    for (const key of ['v', 'y', 'v']) await page.keyboard.press(key)
    await vi.waitFor(
      async () =>
        expect(
          await rows()
            .getByRole('img', { name: /^Verified by/ })
            .count(),
        ).toBe(2),
      waitOptions,
    )
    await page.reload()
    await rows().first().waitFor()
    await vi.waitFor(
      async () =>
        expect(
          await rows()
            .getByRole('img', { name: /^Verified by/ })
            .count(),
        ).toBe(2),
      waitOptions,
    )
    expect(await listAxeViolations(page)).toEqual([])
  })
})
