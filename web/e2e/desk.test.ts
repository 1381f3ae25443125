import { readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { lacks } from '#testing/needs.ts'
import { listAxeViolations } from './axe.ts'
import { nextArrowKey, translate, translatePattern } from './reader-language.ts'
import { leaveBrowser, shareBrowser } from './shared-browser.ts'
import { giveCall, shareStack, signedIn, type SharedStack } from './shared-stack.ts'

const wide = { width: 1280, height: 720 }
const phone = { width: 360, height: 740 }
const jobTimeoutMs = 150_000
/** A busy machine can take seconds to render a frame. */
const waitOptions = { timeout: 20_000 }

describe.skipIf(lacks('chromium'))('the desk', () => {
  let stack: SharedStack
  let browser: Browser
  let page: Page
  let address: string
  let recordingId: string
  const audioRequests: string[] = []

  beforeAll(async () => {
    stack = await shareStack({ mustChangePassword: false })
    browser = await shareBrowser()
    // The page's policy forbids injected scripts, and axe is one.
    const view = { viewport: wide, reducedMotion: 'reduce' } as const
    const context = await browser.newContext({ ...view, ...(await signedIn(stack)), bypassCSP: true })
    page = await context.newPage()
    page.setDefaultTimeout(20_000)
    page.on('request', (request) => {
      if (request.url().includes('/api/audio/')) audioRequests.push(request.url())
    })
    recordingId = await giveCall(stack)
    address = `${stack.url}/transcribe?recording=${recordingId}`
  }, 240_000)

  afterAll(async () => {
    await leaveBrowser(browser)
  })

  const rows = () => page.getByRole('list', { name: 'Transcript Timeline' }).getByRole('listitem')
  const position = () => page.getByRole('slider', { name: 'Position in the recording' }).first()
  const isPlaying = async () =>
    (await page.locator('audio').evaluate((audio: HTMLAudioElement) => !audio.paused)) === true
  const currentTime = () => page.locator('audio').evaluate((audio: HTMLAudioElement) => audio.currentTime)

  async function expectPlaying(expected: boolean) {
    await vi.waitFor(async () => expect(await isPlaying()).toBe(expected), waitOptions)
  }

  /** Expects the focused element to be, or not to be, a field of the given type. */
  function expectFocusOn(type: string, expected: boolean) {
    return vi.waitFor(async () => {
      expect((await page.evaluate('document.activeElement.type')) === type).toBe(expected)
    }, waitOptions)
  }

  async function open() {
    await page.goto(address)
    await rows().first().waitFor()
  }

  it('fits one screen, and its lists scroll', async () => {
    await open()
    const size = await page.evaluate('[document.documentElement.scrollHeight, document.documentElement.scrollWidth]')
    expect(size).toEqual([wide.height, wide.width])
    const footer = await page.getByRole('contentinfo').boundingBox()
    expect((footer?.y ?? 0) + (footer?.height ?? 0)).toBe(wide.height)
  })

  it('asks before transcribing again, with the languages of each channel, and loses nothing', async () => {
    await open()
    const lines = await rows().allInnerTexts()
    await page.getByRole('button', { name: 'Retranscribe' }).click()
    const dialog = page.getByRole('dialog', { name: 'Transcribe again' })
    await dialog.waitFor()
    expect(await dialog.getByRole('combobox', { name: 'Transcription Language' }).inputValue()).toBe(
      translate('Pashto'),
    )
    expect(await dialog.getByRole('combobox', { name: 'Right Channel' }).inputValue()).toBe(translate('English'))
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await rows().allInnerTexts()).toEqual(lines)
  })

  it('keeps the version before a new one', async () => {
    await open()
    await page.getByRole('button', { name: 'Retranscribe' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Transcribe again' }).click()
    await page.getByRole('tab', { name: 'Versions 2' }).waitFor({ timeout: jobTimeoutMs })
    expect(await rows().locator('[lang=ps]').count()).toBeGreaterThan(1)
    expect(await rows().locator('[lang=en]').count()).toBeGreaterThan(1)
  })

  it('fetches the audio when it is played, from where the reader went before', async () => {
    await open()
    audioRequests.length = 0
    await page.keyboard.press('ArrowRight')
    await vi.waitFor(async () => expect(await position().getAttribute('aria-valuenow')).toBe('10'), waitOptions)
    expect(audioRequests).toEqual([])
    await page.keyboard.press('Space')
    await vi.waitFor(async () => expect(await currentTime()).toBeGreaterThan(10), waitOptions)
    expect(await currentTime()).toBeLessThan(25)
    await page.keyboard.press('Space')
    await expectPlaying(false)
  })

  it('plays by Space after a mouse click on a line, a button and a tab, and presses a button reached by Tab', async () => {
    await open()
    await rows().nth(2).click()
    await page.keyboard.press('Space')
    await expectPlaying(true)
    await page.getByRole('tab', { name: 'Speakers' }).click()
    await page.keyboard.press('Space')
    await expectPlaying(false)
    await page.getByRole('button', { name: 'Forward 10 seconds' }).click()
    const before = await position().getAttribute('aria-valuenow')
    await page.keyboard.press('Space')
    await expectPlaying(true)
    await page.keyboard.press('Space')
    await expectPlaying(false)
    // Space did not press the button that was clicked: the position moved only as far as the audio played.
    expect(Number(await position().getAttribute('aria-valuenow')) - Number(before)).toBeLessThan(9)
    await page.keyboard.press('Shift+Tab')
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor()
    expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe(translate('Play'))
    await page.keyboard.press('Space')
    await expectPlaying(true)
    await page.keyboard.press('m')
    await page.getByRole('button', { name: 'Unmute' }).waitFor()
    await page.keyboard.press('m')
    await page.keyboard.press('Space')
    await expectPlaying(false)
  })

  it('goes through lines and hits, opens a line, adds a note and searches by keyboard, after a click on a line', async () => {
    await open()
    await rows().nth(1).click()
    const expectFocused = (index: number) =>
      vi.waitFor(async () => {
        expect(
          await rows()
            .nth(index)
            .evaluate((row) => row === document.activeElement),
        ).toBe(true)
      }, waitOptions)
    await page.keyboard.press('j')
    await expectFocused(2)
    await page.keyboard.press('k')
    await expectFocused(1)
    await page.keyboard.press('e')
    await rows().nth(1).getByRole('textbox').waitFor()
    await page.keyboard.press('Escape')
    await rows().nth(1).getByRole('textbox').waitFor({ state: 'detached' })
    await page.getByRole('tab', { name: /^Hits/ }).click()
    await page.keyboard.press('n')
    await vi.waitFor(async () => expect(Number(await position().getAttribute('aria-valuenow'))).toBeGreaterThan(0))
    await page.keyboard.press('/')
    await page.keyboard.type('b?')
    expect(await page.getByRole('searchbox', { name: 'Search the conversation' }).inputValue()).toBe('b?')
    await page.keyboard.press('Escape')
    await expectFocusOn('search', false)
    await page.keyboard.press('b')
    await page.getByRole('tab', { name: /^Notes 1/, selected: true }).waitFor()
    await page.keyboard.type('heard twice')
    await page.keyboard.press('Escape')
  })

  it('keeps the chosen tab and the panels closed or open, by mouse and by keyboard', async () => {
    await open()
    await page.getByRole('tab', { name: /^Hits/ }).focus()
    await page.keyboard.press(nextArrowKey)
    await page.getByRole('tab', { name: 'Speakers', selected: true }).waitFor()
    await page.getByRole('button', { name: 'Hide the panels' }).click()
    await page.reload()
    await page.getByRole('button', { name: 'Show Speakers' }).waitFor()
    expect(await page.getByRole('tab').count()).toBe(0)
    await page.keyboard.press('s')
    await page.getByRole('tab', { name: 'Speakers', selected: true }).waitFor()
  })

  it('finds recordings, pages, actions and times in the command palette', async () => {
    await open()
    const palette = page.getByRole('dialog')
    async function choose(query: string, label: string) {
      await page.keyboard.press('Control+k')
      await palette.getByPlaceholder('Recordings, pages, actions, or a time such as 12:30').fill(query)
      await palette.locator('[data-selected]').getByText(label).waitFor()
      await page.keyboard.press('Enter')
      await palette.waitFor({ state: 'detached' })
    }
    await choose('0:20', translate('Go to 0:20'))
    await vi.waitFor(async () => expect(await position().getAttribute('aria-valuenow')).toBe('20'), waitOptions)
    await choose(translate('Search the conversation').slice(0, -4), 'Search the conversation')
    await expectFocusOn('search', true)
    await choose(translate('Library').slice(0, 4), 'Library')
    await page.waitForURL(/\/dashboard$/)
    await choose('sample', 'sample-call.mp3')
    await page.waitForURL(/\/transcribe\?recording=/)
  })

  it.each(['light', 'dark'] as const)(
    'has no accessibility violation in %s, wide and on a phone',
    async (colorScheme) => {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await open()
      for (const tab of [/^Hits/, /^Speakers/, /^Notes/, /^Versions/]) {
        await page.getByRole('tab', { name: tab }).click()
        expect(await listAxeViolations(page)).toEqual([])
      }
      await page.setViewportSize(phone)
      await page.getByRole('button', { name: /^Versions/ }).waitFor()
      expect(await listAxeViolations(page)).toEqual([])
      await page.setViewportSize(wide)
    },
  )

  it('is one screen on a phone, with the player at the bottom and the panels as sheets', async () => {
    await page.setViewportSize(phone)
    await open()
    const size = await page.evaluate('[document.documentElement.scrollHeight, document.documentElement.scrollWidth]')
    expect(size).toEqual([phone.height, phone.width])
    const player = await page.getByRole('region', { name: 'Audio player' }).boundingBox()
    expect(player?.y).toBeGreaterThan(phone.height / 2)
    await page.getByRole('button', { name: /^Speakers/ }).click()
    const sheet = page.getByRole('dialog')
    await sheet.getByRole('region', { name: 'Speaker Diarization' }).waitFor()
    await sheet.getByRole('button', { name: 'Close' }).click()
    await sheet.waitFor({ state: 'detached' })
    await page.setViewportSize(wide)
  })

  it.each([360, 768, 1366])('has both pickers, readable and usable, at %i pixels', async (width) => {
    await page.setViewportSize({ width, height: 740 })
    await open()
    for (const name of ['Transcription Language', 'Translation Language']) {
      const picker = page.getByRole('combobox', { name, exact: true })
      const [field, label] = await Promise.all([
        picker.boundingBox(),
        page.getByText(name, { exact: true }).boundingBox(),
      ])
      if (!field || !label) throw new Error(`${name} is not on screen`)
      expect(label.x).toBeGreaterThanOrEqual(field.x)
      expect(label.x + label.width).toBeLessThanOrEqual(field.x + field.width)
      expect(await picker.evaluate((input: HTMLInputElement) => input.scrollWidth - input.clientWidth)).toBe(0)
      // Nothing covers it.
      await picker.click({ trial: true })
    }
    const target = page.getByRole('combobox', { name: 'Translation Language' })
    await target.click()
    await page.getByRole('option', { name: /^Urdu/ }).click()
    expect(await target.inputValue()).toMatch(translatePattern(/^Urdu/))
    await target.click()
    await page.getByRole('option', { name: /^English/ }).click()
    await page.setViewportSize(wide)
  })

  it('says that the sound is missing on the server once it is played, and shows the words all the same', async () => {
    const shard = join(stack.dataDir, 'audio', recordingId.slice(-2))
    const name = (await readdir(shard)).find((each) => each.startsWith(recordingId))
    const file = join(shard, String(name))
    await rename(file, `${file}.away`)
    await open()
    await page.getByRole('button', { name: 'Play', exact: true }).click()
    await page.getByText('The sound of this recording is missing on the server.').waitFor()
    expect(await rows().count()).toBeGreaterThan(0)
    expect(await listAxeViolations(page)).toEqual([])
    await rename(`${file}.away`, file)
    await page.getByRole('button', { name: 'Play', exact: true }).click()
    await page.getByText('The sound of this recording is missing on the server.').waitFor({ state: 'detached' })
  })

  it('says so when the recording is deleted in another tab', async () => {
    await open()
    const other = await page.context().newPage()
    await other.goto(`${stack.url}/dashboard`)
    await other.getByRole('button', { name: /^Actions for sample-call/ }).click()
    await other.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('heading', { name: 'This recording is not here' }).waitFor()
    await other.close()
  })
})
