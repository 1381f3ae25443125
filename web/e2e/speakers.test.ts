import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { isolateName } from '#contract/isolated-name.ts'
import { lacks } from '#testing/needs.ts'
import { buildThreeVoices } from '#testing/three-voices.ts'
import { listAxeViolations } from './axe.ts'
import { leaveBrowser, shareBrowser } from './shared-browser.ts'
import { shareStack, signedIn, type SharedStack } from './shared-stack.ts'

const jobTimeoutMs = 150_000
/** As patient as the page's own waits: a busy machine can take seconds to render a frame. */
const waitOptions = { timeout: 20_000 }

describe.skipIf(lacks('chromium', 'readers', 'ffmpeg'))('a mono call with three voices', () => {
  let folder: string
  let stack: SharedStack
  let browser: Browser
  let page: Page

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'awaz-three-voices-'))
    const call = join(folder, 'three-voices.wav')
    await buildThreeVoices(call)
    stack = await shareStack({ mustChangePassword: false })
    browser = await shareBrowser()
    // The page's policy forbids injected scripts, and axe is one.
    const view = { viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' } as const
    const context = await browser.newContext({ ...view, ...(await signedIn(stack)), bypassCSP: true })
    page = await context.newPage()
    page.setDefaultTimeout(20_000)
    await page.goto(`${stack.url}/upload`)
    await page.locator('input[type=file]').setInputFiles(call)
    await page.getByRole('combobox', { name: 'Transcription Language' }).click()
    await page.getByRole('option', { name: 'English' }).click()
    await page.getByRole('combobox', { name: 'Number of speakers' }).click()
    await page.getByRole('option', { name: '3', exact: true }).click()
    await page.getByRole('button', { name: 'Start Transcription', exact: true }).click()
    await page.getByRole('button', { name: 'Retranscribe' }).waitFor({ timeout: jobTimeoutMs })
    await page.getByRole('tab', { name: 'Speakers' }).click()
    await voices().first().waitFor()
  }, 240_000)

  afterAll(async () => {
    await leaveBrowser(browser)
    await rm(folder, { recursive: true, force: true })
  })

  const panel = () => page.getByRole('region', { name: 'Speakers' })
  const voices = () => panel().getByRole('list', { name: 'Speakers' }).getByRole('listitem')
  const timeline = () => page.getByRole('list', { name: 'Transcript Timeline' })
  /** Goes to the last line by keyboard: lines outside the visible part of the list are not rendered. */
  async function goToLastLine(): Promise<void> {
    await timeline().getByRole('listitem').first().focus()
    await page.keyboard.press('End')
    await timeline().locator('li:focus:last-of-type').waitFor()
  }

  const waitForSaved = (change: string) => panel().getByText(`${change} · Saved`).waitFor()

  async function download(item: string): Promise<string> {
    await page.getByRole('button', { name: 'Export', exact: true }).click()
    const downloading = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: item }).click()
    const path = join(folder, 'download')
    await (await downloading).saveAs(path)
    return await readFile(path, 'utf8')
  }

  it('shows three speakers in turn, each with a letter and a colour', async () => {
    expect(await voices().count()).toBe(3)
    await panel().getByText('Speakers separated by voice, telephone band').waitFor()
    const letters = await timeline().locator('[data-shape]').allTextContents()
    expect(new Set(letters)).toEqual(new Set(['A', 'B', 'C']))
    expect(letters.slice(0, 1)).toEqual(['A'])
    const colours = await voices()
      .locator('[data-shape]')
      .evaluateAll((marks) => marks.map((mark) => getComputedStyle(mark).color))
    expect(new Set(colours).size).toBe(3)
  })

  it('saves a name, a merge and a moved line, and exports them in every format', async () => {
    await panel().getByRole('button', { name: 'Rename Speaker B' }).click()
    await page.keyboard.type('احمد')
    await page.keyboard.press('Enter')
    await waitForSaved('Speaker B is now احمد')
    await panel().getByRole('button', { name: 'Actions for Speaker C' }).click()
    await page.getByRole('menuitem', { name: 'Speaker A' }).click()
    await waitForSaved('Speaker C merged into Speaker A')
    expect(await voices().count()).toBe(2)

    // The menu of the last line is operated by keyboard only.
    await goToLastLine()
    const lineMenu = timeline().getByRole('button', { name: /^Actions for the line at/ })
    await lineMenu.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitemradio', { name: 'احمد' }).press('Enter')
    await waitForSaved(`Line moved to ${isolateName('احمد')}`)
    await vi.waitFor(async () => {
      expect(await lineMenu.evaluate((button) => button === document.activeElement)).toBe(true)
    }, waitOptions)

    await page.reload()
    await timeline().waitFor()
    // The panels appear after the lines.
    await voices().nth(1).waitFor()
    expect(await voices().count()).toBe(2)
    await goToLastLine()
    await timeline().locator('li:focus').getByText('moved').waitFor()
    for (const item of ['Text (.txt)', 'Subtitles (.srt)', 'Web subtitles (.vtt)']) {
      const content = await download(item)
      expect(content).toContain('احمد')
      expect(content).toContain('Speaker A')
      expect(content).not.toMatch(/Speaker [BC]|Channel/)
    }
    expect(JSON.parse(await download('Data (.json)'))).toMatchObject({
      speakers: [
        { speaker: 'Speaker A', name: 'Speaker A' },
        { speaker: 'Speaker B', name: 'احمد' },
      ],
    })
  })

  it('shows and exports the names in the dialogue', async () => {
    await page.getByRole('button', { name: 'Start Diarization' }).click()
    const dialogue = page.getByRole('list', { name: 'Dialogue' })
    await dialogue.waitFor({ timeout: jobTimeoutMs })
    await dialogue.getByText('احمد').first().waitFor()
    expect(await dialogue.getByText('Speaker C').count()).toBe(0)
    const downloading = page.waitForEvent('download')
    await page.getByRole('region', { name: 'Speaker Diarization' }).getByRole('button', { name: 'Export JSON' }).click()
    const path = join(folder, 'dialogue.json')
    await (await downloading).saveAs(path)
    expect(await readFile(path, 'utf8')).toContain('"name": "احمد"')
  })

  it('undoes the last change', async () => {
    await panel().getByRole('button', { name: 'Actions for احمد' }).click()
    await page.getByRole('menuitem', { name: 'Remove the name' }).click()
    await panel().getByRole('button', { name: 'Rename Speaker B' }).waitFor()
    await panel().getByRole('button', { name: 'Undo' }).click()
    await panel().getByRole('button', { name: 'Rename احمد' }).waitFor()
  })

  it.each(['light', 'dark'] as const)('has no accessibility violation in %s, and fits a phone', async (colorScheme) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.reload()
    await timeline().waitFor()
    expect(await listAxeViolations(page)).toEqual([])
    await page.setViewportSize({ width: 360, height: 760 })
    await vi.waitFor(async () => {
      expect(await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')).toBe(0)
    }, waitOptions)
    expect(await listAxeViolations(page)).toEqual([])
    await page.setViewportSize({ width: 1280, height: 900 })
  })
})
