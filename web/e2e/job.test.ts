import { dirname, join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lacks } from '#testing/needs.ts'
import { signInAsFirstAdmin } from './sign-in.ts'
import { leaveBrowser, shareBrowser } from './shared-browser.ts'
import { shareStack, type SharedStack } from './shared-stack.ts'

const sample = join(dirname(dirname(import.meta.dirname)), 'models/demo/sample-call.mp3')

describe.skipIf(lacks('chromium'))('the workflow in a browser', () => {
  let stack: SharedStack
  let browser: Browser
  let page: Page

  beforeAll(async () => {
    stack = await shareStack()
    browser = await shareBrowser()
    page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
    page.setDefaultTimeout(20_000)
  }, 180_000)

  afterAll(async () => {
    await leaveBrowser(browser)
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
    // Lines appear as they are recognized; only a finished transcript can be retranscribed.
    await page.getByRole('button', { name: 'Retranscribe' }).waitFor({ timeout: 120_000 })
    expect(await timeline.getByRole('listitem').count()).toBeGreaterThan(3)
    expect(await timeline.locator('[lang=ps][dir=rtl]').count()).toBeGreaterThan(1)
    expect(await timeline.locator('[lang=en][dir=ltr]').count()).toBeGreaterThan(1)
    await page.getByText(/Transcription saved: [0-9a-f]{8}/).waitFor()

    await page.getByRole('button', { name: 'Start AI Translation' }).click()
    await page.getByText('Pashto, English → English').waitFor({ timeout: 120_000 })
    const pashtoLines = timeline.locator('li:has([lang=ps])')
    expect(await pashtoLines.count()).toBeGreaterThan(1)
    expect(await pashtoLines.locator('[lang=en][dir=ltr]').count()).toBe(await pashtoLines.count())
    const analysis = page.getByRole('region', { name: 'Intelligence Analysis' })
    await analysis.getByRole('listitem').first().waitFor()
    await timeline.locator('mark').first().waitFor()

    await page.reload()
    await timeline.waitFor()
    await page.getByText('Pashto, English → English').waitFor()
    expect(violations).toEqual([])
  })
})
