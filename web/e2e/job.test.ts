import { dirname, join } from 'node:path'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { launchBrowser } from '#testing/browser.ts'
import { findChromium } from '#testing/chromium.ts'
import { startStack, type Stack } from '#testing/stack.ts'
import { signInAsFirstAdmin } from './sign-in.ts'

const sample = join(dirname(dirname(import.meta.dirname)), 'models/demo/sample-call.mp3')
const hasBrowser = findChromium() !== undefined
/** A busy machine takes seconds for a frame. */
const waitOptions = { timeout: 20_000 }
if (!hasBrowser && process.env.CI === 'true') throw new Error('CI needs a Chromium: set CHROMIUM_PATH')
if (!hasBrowser) console.log('Skipped: no Chromium found (set CHROMIUM_PATH)')

/** Expects that each of two lists scrolls with the other: one to its end, then the other to its beginning. */
async function expectLinkedScroll(left: Locator, right: Locator) {
  for (const list of [left, right]) await list.evaluate((element) => (element.style.maxHeight = '8rem'))
  const offset = (list: Locator) => list.evaluate((it) => it.scrollTop / (it.scrollHeight - it.clientHeight))
  await left.evaluate((it) => it.scrollTo(0, it.scrollHeight))
  await vi.waitFor(async () => expect(await offset(right)).toBeGreaterThan(0.95), waitOptions)
  // The right list leads once the left one has stopped scrolling; until then it is scrolled back.
  await vi.waitFor(async () => {
    await right.evaluate((it) => it.scrollTo(0, it.scrollTop > 0 ? 0 : 1))
    expect(await offset(left)).toBeLessThan(0.05)
  }, waitOptions)
}

describe.skipIf(!hasBrowser)('the workflow in a browser', () => {
  let stack: Stack
  let browser: Browser
  let page: Page

  beforeAll(async () => {
    stack = await startStack()
    browser = await launchBrowser()
    page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
    page.setDefaultTimeout(20_000)
  }, 180_000)

  afterAll(async () => {
    await browser?.close()
    await stack?.stop()
  })

  it('uploads a call, transcribes it by speaker, translates it and finds keywords, without requests to other hosts', async () => {
    const violations: string[] = []
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) violations.push(message.text())
    })
    page.on('request', (request) => {
      if (!request.url().startsWith(stack.url) && !/^(data|blob):/.test(request.url())) violations.push(request.url())
    })

    await signInAsFirstAdmin(page, stack)
    await page.locator('input[type=file]').setInputFiles(sample)
    await page.getByRole('heading', { level: 1, name: 'sample-call.mp3' }).waitFor()

    await page.getByRole('combobox', { name: 'Right Channel' }).click()
    await page.getByRole('option', { name: 'English' }).click()
    await page.getByRole('button', { name: 'Start Dual Speaker Transcription' }).click()
    const timeline = page.getByRole('list', { name: 'Transcript Timeline' })
    await timeline.waitFor({ timeout: 120_000 })
    expect(await timeline.getByRole('listitem').count()).toBeGreaterThan(3)
    expect(await timeline.locator('[lang=ps][dir=rtl]').count()).toBeGreaterThan(1)
    expect(await timeline.locator('[lang=en][dir=ltr]').count()).toBeGreaterThan(1)
    await page.getByText(/Transcription saved: [0-9a-f]{8}/).waitFor()

    await page.getByRole('button', { name: 'Start AI Translation' }).click()
    await page.getByText('Pashto → English').waitFor({ timeout: 120_000 })
    const translated = page.getByRole('list', { name: 'Translation Timeline' })
    expect(await translated.getByRole('listitem').count()).toBe(await timeline.getByRole('listitem').count())
    await expectLinkedScroll(timeline, translated)
    const analysis = page.getByRole('region', { name: 'Intelligence Analysis' })
    await analysis.locator('mark').first().waitFor()

    await page.reload()
    await timeline.waitFor()
    await page.getByText('Pashto → English').waitFor()
    expect(violations).toEqual([])
  })
})
