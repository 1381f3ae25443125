import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { callApi } from '#testing/api-calls.ts'
import { lacks } from '#testing/needs.ts'
import { listAxeViolations } from './axe.ts'
import { withLatinDigits } from './reader-language.ts'
import { leaveBrowser, shareBrowser } from './shared-browser.ts'
import { shareStack, signedIn, type SharedStack } from './shared-stack.ts'

const sample = join(dirname(dirname(import.meta.dirname)), 'models/demo/sample-call.mp3')
/** A busy machine can take seconds to render a frame. */
const waitOptions = { timeout: 20_000 }

describe.skipIf(lacks('chromium'))('findings, notes, settings and uploads', () => {
  let stack: SharedStack
  let browser: Browser
  let page: Page
  let address: string

  beforeAll(async () => {
    stack = await shareStack({ mustChangePassword: false })
    browser = await shareBrowser()
    // The page's policy forbids injected scripts, and axe is one.
    const context = await browser.newContext({
      viewport: { width: 1280, height: 720 },
      bypassCSP: true,
      reducedMotion: 'reduce',
      ...(await signedIn(stack)),
    })
    page = await context.newPage()
    page.setDefaultTimeout(20_000)
    await page.goto(`${stack.url}/upload`)
  }, 240_000)

  afterAll(async () => {
    await leaveBrowser(browser)
  })

  const hits = () => page.getByRole('list', { name: 'Hits' })
  const notes = () => page.getByRole('list', { name: 'Notes' })
  const openPanel = (name: RegExp) => page.getByRole('tab', { name }).click()
  /** The button in the toast; the desk's undo button is an icon. */
  const undo = () => page.getByText('Undo', { exact: true }).click()
  /** Clicks what a person clicks: the track around the switch. */
  const toggle = (name: string) => page.getByRole('switch', { name }).locator('..').click()
  const currentTime = () => page.locator('audio').evaluate((audio: HTMLAudioElement) => audio.currentTime)

  /** Starts a transcription as another of the user's tabs or programs would. */
  async function startTranscription() {
    const token = (await page.evaluate('localStorage.getItem("access_token")')) as string
    const json = {
      file_id: new URL(address).searchParams.get('recording'),
      language: 'ps',
      channel_languages: ['ps', 'en'],
    }
    await callApi(z.object({ job_id: z.string() }), `${stack.url}/api/transcribe`, { token, json })
  }

  it('explains the refusal of a proxy, and sends the file again', async () => {
    await page.route('**/api/upload', (route) =>
      route.fulfill({ status: 413, contentType: 'text/html', body: '<h1>413 Request Entity Too Large</h1>' }),
    )
    await page.locator('input[type=file]').setInputFiles(sample)
    await page.getByText(/^The server in front of Awaz accepts smaller files only/).waitFor()
    expect(await listAxeViolations(page)).toEqual([])
    const retry = page.getByRole('button', { name: 'Retry sample-call.mp3' })
    const refused = page.waitForResponse('**/api/upload')
    await retry.click()
    expect((await refused).status()).toBe(413)
    await page.unroute('**/api/upload')
    await retry.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'sample-call.mp3' }).waitFor()
    address = page.url()
  })

  it('tells on another page that a job has ended, and leads to it', { timeout: 240_000 }, async () => {
    await page.getByRole('button', { name: /^Account menu of/ }).click()
    await page.getByRole('menuitem', { name: 'Settings', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
    // Started from here: a short job started on its own page may end before that page is left.
    await startTranscription()
    await page.getByText('The transcription of sample-call.mp3 is finished.').waitFor({ timeout: 150_000 })
    await page.getByRole('button', { name: 'Open', exact: true }).click()
    await hits().getByRole('listitem').nth(1).waitFor()
  })

  it('goes from hit to hit by key and by mouse, 2 s before each', async () => {
    await page.keyboard.press('n')
    await vi.waitFor(async () => expect(await hits().locator('[aria-current=true]').count()).toBe(1), waitOptions)
    const first = await hits().locator('[aria-current=true]').innerText()
    await page.getByRole('button', { name: 'Next hit (N)' }).click()
    await vi.waitFor(async () => {
      expect(await hits().locator('[aria-current=true]').innerText()).not.toBe(first)
    }, waitOptions)
    await page.keyboard.press('p')
    await vi.waitFor(async () => {
      expect(await hits().locator('[aria-current=true]').innerText()).toBe(first)
    }, waitOptions)
    const [minutes = 0, seconds = 0] = (/(\d+):(\d\d)/.exec(first) ?? []).slice(1).map(Number)
    const lead = minutes * 60 + seconds - (await currentTime())
    expect(lead).toBeGreaterThan(Math.min(0.9, minutes * 60 + seconds) - 0.01)
    expect(lead).toBeLessThanOrEqual(2.01)
  })

  it('reviews hits, remembers that, and exports the counts', async () => {
    const left = page.getByText(/^\d+ of \d+ left to review$/)
    const countLeft = async () => Number.parseInt(withLatinDigits(await left.innerText()), 10)
    const before = await countLeft()
    await hits().locator('[aria-current=true] button').first().focus()
    await page.keyboard.press('r')
    await vi.waitFor(async () => expect(await countLeft()).not.toBe(before), waitOptions)
    await page.getByText(/marked as reviewed$/).waitFor()
    await page.reload()
    await vi.waitFor(async () => expect(await countLeft()).toBe(before - 1), waitOptions)
    await page.getByRole('button', { name: 'Mark all shown as reviewed' }).click()
    await undo()
    await vi.waitFor(async () => expect(await countLeft()).toBe(before - 1), waitOptions)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export JSON' }).click(),
    ])
    const exported: unknown = JSON.parse(await readFile(await download.path(), 'utf8'))
    expect(exported).toMatchObject({ timestamp: expect.any(String), keywords: {}, stats: { totals: {} } })
    expect(await listAxeViolations(page)).toEqual([])
  })

  it('adds a note by key and a bookmark by mouse, and keeps both', async () => {
    await page.keyboard.press('b')
    await page.getByRole('textbox', { name: /^Note at/ }).pressSequentially('Listen again')
    await page.keyboard.press('Enter')
    await notes().getByText('Listen again').waitFor()
    await page.getByRole('button', { name: 'Add note' }).click()
    await page.keyboard.press('Escape')
    await vi.waitFor(async () => expect(await notes().getByText('Saving…').count()).toBe(0), waitOptions)
    await page.reload()
    await openPanel(/^Notes/)
    await notes().getByText('Listen again').waitFor()
    await notes().getByText('Bookmark').waitFor()
    expect(await listAxeViolations(page)).toEqual([])
    await notes()
      .getByRole('button', { name: /^Delete the note/ })
      .first()
      .click()
    await undo()
    await vi.waitFor(
      async () =>
        expect(
          await notes()
            .getByRole('button', { name: /^Delete/ })
            .count(),
        ).toBe(2),
      waitOptions,
    )
  })

  it('settings act at once', async () => {
    await page.goto(`${stack.url}/settings/preferences`)
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
    await page.getByText('Dark', { exact: true }).click()
    await vi.waitFor(async () => {
      expect(await page.locator('html').getAttribute('data-mantine-color-scheme')).toBe('dark')
    }, waitOptions)
    expect(await listAxeViolations(page)).toEqual([])
    await page.getByRole('switch', { name: 'Show timestamps' }).focus()
    await page.keyboard.press('Space')
    await toggle('Highlight keywords')
    await toggle('Mail when a long job has ended')
    await page.goto(address)
    const lines = page.getByRole('list', { name: 'Transcript Timeline' })
    await lines.getByRole('listitem').first().waitFor()
    expect(await lines.locator('mark').count()).toBe(0)
    await page.goto(`${stack.url}/settings/preferences`)
    await vi.waitFor(async () => {
      expect(await page.getByRole('switch', { name: 'Mail when a long job has ended' }).isChecked()).toBe(false)
    }, waitOptions)
    await page.getByRole('button', { name: 'Reset to defaults' }).click()
    expect(await page.getByRole('switch', { name: 'Show timestamps' }).isChecked()).toBe(true)
  })
})
