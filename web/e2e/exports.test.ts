import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { lacks } from '#testing/needs.ts'
import { readZip } from '#testing/read-zip.ts'
import { listAxeViolations } from './axe.ts'
import { signInAsFirstAdmin } from './sign-in.ts'
import { leaveBrowser, shareBrowser } from './shared-browser.ts'
import { shareStack, type SharedStack } from './shared-stack.ts'

const sample = join(dirname(dirname(import.meta.dirname)), 'models/demo/sample-call.mp3')
const jobTimeoutMs = 120_000
/** A busy machine can take seconds to render a frame. */
const waitOptions = { timeout: 20_000 }

describe.skipIf(lacks('chromium'))('exports', () => {
  let stack: SharedStack
  let browser: Browser
  let context: BrowserContext
  let page: Page

  beforeAll(async () => {
    stack = await shareStack()
    browser = await shareBrowser()
    // The page's policy forbids injected scripts, and axe is one.
    context = await browser.newContext({
      viewport: { width: 1280, height: 720 },
      reducedMotion: 'reduce',
      bypassCSP: true,
    })
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: stack.url })
    // A headless browser shows no print dialog: the calls are counted instead.
    await context.addInitScript('window.printCalls = 0; window.print = () => { window.printCalls += 1 }')
    page = await context.newPage()
    page.setDefaultTimeout(20_000)
    await signInAsFirstAdmin(page, stack)
    await page.locator('input[type=file]').setInputFiles(sample)
    await page.getByRole('combobox', { name: 'Right Channel' }).click()
    await page.getByRole('option', { name: 'English' }).click()
    await page.getByRole('button', { name: 'Start Dual Speaker Transcription' }).click()
    await page.getByRole('list', { name: 'Transcript Timeline' }).waitFor({ timeout: jobTimeoutMs })
    await page.getByRole('button', { name: 'Start AI Translation' }).click()
    await page.getByRole('button', { name: 'Retranslate' }).waitFor({ timeout: jobTimeoutMs })
    await addNote({ time: 2, text: 'Who is this?\nدا څوک دی؟' })
  }, 300_000)

  afterAll(async () => {
    await leaveBrowser(browser)
  })

  const recordingId = () => new URL(page.url()).searchParams.get('recording')
  const menuButton = () => page.getByRole('button', { name: 'Export', exact: true })

  async function addNote(note: { time: number; text: string }) {
    const token = await page.evaluate(() => localStorage.getItem('access_token'))
    const response = await fetch(`${stack.url}/api/recordings/${recordingId()}/notes`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(note),
    })
    expect(response.status).toBe(201)
  }

  async function readDownload(start: () => Promise<void>): Promise<{ name: string; content: Buffer }> {
    const downloading = page.waitForEvent('download')
    await start()
    const download = await downloading
    return { name: download.suggestedFilename(), content: await readFile(await download.path()) }
  }

  it('downloads a Word file with both languages, marks, notes and the fingerprint of the audio', async () => {
    await menuButton().click()
    const { name, content } = await readDownload(() => page.getByRole('menuitem', { name: /^Word/ }).click())
    expect(name).toBe('sample-call-en.docx')
    const xml = readZip(content).get('word/document.xml') ?? ''
    for (const part of ['<w:bidi/>', '<w:rtl/>', '<w:shd w:fill=', 'Who is this?', 'Left Channel', '<w:tblHeader/>']) {
      expect(xml).toContain(part)
    }
    expect(xml).toMatch(/SHA-256 of the audio[^]*>[\da-f]{64}</)
  })

  it('exports by keyboard what was chosen there', async () => {
    await menuButton().focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitemcheckbox', { name: 'Translation to English' }).press('Enter')
    const dialogue = page.getByRole('menuitem', { name: /^Dialogue/ })
    const { name, content } = await readDownload(() => dialogue.press('Enter'))
    expect(name).toBe('sample-call.dialogue.txt')
    expect(content.toString()).toMatch(/^\[00:00:\d\d\] Right Channel: [a-z ]+$/m)
    expect(content.toString()).not.toContain('Translation: English')
    expect(content.toString()).toMatch(/^\[00:00:02\] \u2068?Who is this\?/m)
    await menuButton().press('Enter')
    await page.getByRole('menuitemcheckbox', { name: 'Translation to English' }).press('Enter')
    await page.keyboard.press('Escape')
  })

  it('copies the transcript and the translation with times and speakers', async () => {
    const expectCopied = (text: RegExp) =>
      vi.waitFor(async () => {
        expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(text)
      }, waitOptions)
    await page.getByRole('button', { name: 'Copy transcription' }).click()
    await expectCopied(/^\[00:00:\d\d\] Left Channel: \u2067[^\n]+\u2069\n\n\[00:00:\d\d\] /)
    await page.getByRole('button', { name: 'Copy translation' }).press('Enter')
    await expectCopied(/^\[00:00:\d\d\] Left Channel: [a-z ]+\n\n/)
  })

  it('opens a print view with the same content, which asks for the printer itself', async () => {
    await menuButton().click()
    const opening = context.waitForEvent('page')
    await page.getByRole('menuitem', { name: /^Print or PDF/ }).press('Enter')
    const print = await opening
    await print.getByRole('heading', { level: 1, name: 'sample-call.mp3' }).waitFor()
    await print.waitForFunction('window.printCalls === 1')
    await print.getByRole('columnheader', { name: 'Translation (English)' }).waitFor()
    expect(await print.locator('td [lang=ps][dir=rtl]').count()).toBeGreaterThan(1)
    expect(await print.locator('td mark[data-category]').count()).toBeGreaterThan(0)
    await print.getByText('دا څوک دی؟').waitFor()
    expect(await listAxeViolations(print)).toEqual([])
    await print.setViewportSize({ width: 360, height: 740 })
    expect(await print.evaluate('document.documentElement.scrollWidth - window.innerWidth')).toBe(0)
    await print.emulateMedia({ media: 'print' })
    expect(await print.getByRole('button', { name: 'Print' }).isVisible()).toBe(false)
    const pdf = await print.pdf({ preferCSSPageSize: true })
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
    await print.close()
  })

  it('saves a report template, and after a reload prints and writes with its heading and only its parts', async () => {
    await menuButton().click()
    await page.getByRole('menuitem', { name: 'Save as a report template…' }).click()
    const dialog = page.getByRole('dialog', { name: 'New report template' })
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Court')
    for (const part of ['Translation', 'Technical data']) await dialog.getByRole('checkbox', { name: part }).uncheck()
    await dialog.getByRole('textbox', { name: 'Heading' }).fill('Office 7: {recording}')
    await dialog.getByRole('textbox', { name: 'Introduction' }).fill('Case 12\n\nقضیه ۱۲')
    await dialog.getByRole('textbox', { name: 'Closing text' }).fill('Signed by {person}')
    await dialog.getByRole('button', { name: 'Save' }).press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await page.reload()
    await menuButton().click()
    const opening = context.waitForEvent('page')
    await page.getByRole('menuitem', { name: /^Court/ }).click()
    const print = await opening
    await print.getByRole('heading', { level: 1, name: 'Office 7: sample-call.mp3' }).waitFor()
    const text = await print.locator('main').innerText()
    const places = ['Case 12', 'Conversation', 'Who is this?', 'Signed by'].map((part) => text.indexOf(part))
    expect(places).not.toContain(-1)
    expect(places).toEqual(places.toSorted((a, b) => a - b))
    expect(text).not.toContain('About this transcript')
    expect(await print.getByRole('columnheader').count()).toBe(1)
    expect(await print.getByText('قضیه ۱۲').getAttribute('dir')).toBe('rtl')
    expect(await listAxeViolations(print)).toEqual([])
    await print.close()
  })

  it('changes a report template by keyboard to a text file, makes it, and deletes it', async () => {
    await menuButton().press('Enter')
    await page.getByRole('menuitem', { name: 'Change or delete templates…' }).press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Change Court' }).press('Enter')
    await dialog.getByRole('combobox', { name: 'Format' }).press('Enter')
    await page.getByRole('option', { name: 'Dialogue (.txt)' }).click()
    await dialog.getByRole('button', { name: 'Save' }).press('Enter')
    await dialog.getByText(/^Dialogue \(\.txt\)\u00A0· /).waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await menuButton().press('Enter')
    const made = page.getByRole('menuitem', { name: /^Court/ })
    const { name, content } = await readDownload(() => made.press('Enter'))
    expect(name).toBe('sample-call.dialogue.txt')
    expect(content.toString()).toMatch(/^Office 7: sample-call\.mp3\n=+\n\n\nCase 12\n/)
    expect(content.toString()).not.toContain('Translation: English')
    expect(content.toString()).not.toContain('About this transcript')
    await menuButton().press('Enter')
    await page.getByRole('menuitem', { name: 'Change or delete templates…' }).press('Enter')
    await dialog.getByRole('button', { name: 'Delete Court' }).press('Enter')
    await dialog.getByText(/^A template keeps what a report contains/).waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  })
})
