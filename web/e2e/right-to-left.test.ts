import { readFile } from 'node:fs/promises'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lacks } from '#testing/needs.ts'
import { leaveBrowser, shareBrowser } from './shared-browser.ts'
import { sample } from './shared-call.ts'
import { giveCall, shareStack, signedIn, type SharedStack } from './shared-stack.ts'
import { Tokens } from './stack-users.ts'
import { measurePieces, visualOrder } from './visual-order.ts'

const fileName = '1168_پشاور_2026-10-01.mp3'
/** Parts of the file name, from left to right. */
const fileParts = ['1168', 'پشاور', '2026', '10-', '01.', 'mp3']
const speakerName = 'احمد شاه (Kandahar)'
/** Parts of the speaker's name in reading order: from right to left. */
const speakerParts = ['احمد', 'شاه', '(', 'Kandahar', ')']
const longName = `${speakerName} د ډېر اوږد نوم سره چې په کرښه کې نه ځایېږي او پرې کېږي`
const caseName = 'پرونده 2026-10-01 (Kabul)'
const caseParts = ['پرونده', '2026', '10-', '01', '(', 'Kabul', ')']

describe.skipIf(lacks('chromium'))('names of right-to-left letters in a browser', () => {
  let stack: SharedStack
  let browser: Browser
  let page: Page
  let recordingId: string
  let caseId: string

  beforeAll(async () => {
    stack = await shareStack({ mustChangePassword: false })
    browser = await shareBrowser()
    recordingId = await giveCall(stack, { isTranslated: true })
    const context = await browser.newContext({
      viewport: { width: 1366, height: 768 },
      reducedMotion: 'reduce',
      ...(await signedIn(stack)),
    })
    page = await context.newPage()
    page.setDefaultTimeout(20_000)
    await giveNames(await giveCall(stack))
  }, 300_000)

  afterAll(async () => {
    await leaveBrowser(browser)
  })

  /** Names the recording, its Pashto speaker and a case that contains it; names another recording too long for any row. */
  async function giveNames(otherId: string): Promise<void> {
    const { email, password } = stack.admin
    const { access_token: token } = Tokens.parse(await send('', 'POST', '/api/auth/signin', { email, password }))
    await send(token, 'PATCH', `/api/recordings/${recordingId}`, { name: fileName })
    await send(token, 'PATCH', `/api/recordings/${otherId}`, { name: longName })
    const recording = (await send(token, 'GET', `/api/recordings/${recordingId}`)) as Recording
    const { transcription, speaker_corrections_version: version } = recording
    const [pashto] = transcription.speaker_transcriptions
    const corrections = { names: { [pashto?.speaker ?? '']: speakerName }, merged: {}, moved: [] }
    await send(token, 'PUT', `/api/recordings/${recordingId}/speakers`, { corrections, version })
    caseId = ((await send(token, 'POST', '/api/cases', { name: caseName })) as { id: string }).id
    await send(token, 'POST', `/api/cases/${caseId}/recordings`, { selection: { ids: [recordingId] } })
  }

  async function send(token: string, method: string, path: string, body?: object): Promise<unknown> {
    const response = await fetch(`${stack.url}${path}`, {
      method,
      headers: { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return response.json()
  }

  async function expectFileName(place: Locator): Promise<void> {
    await place.waitFor()
    expect(await visualOrder(place, fileParts)).toEqual(fileParts)
  }

  async function expectSpeakerName(place: Locator): Promise<void> {
    await place.waitFor()
    // In a right-to-left name an opening bracket is on the right.
    expect(await visualOrder(place, speakerParts)).toEqual(speakerParts.toReversed())
  }

  /** Expects a name that is too long to be cut off at its end in reading order, so that its beginning is in view. */
  async function expectCutAtItsEnd(place: Locator): Promise<void> {
    const box = await place.boundingBox()
    const [first] = await measurePieces(place, ['احمد'])
    if (!first || !box) throw new Error('The name is not drawn')
    expect(first.right).toBeLessThanOrEqual(box.x + box.width + 1)
    expect(first.left).toBeGreaterThanOrEqual(box.x)
  }

  const link = (name: string) => page.getByRole('link', { name, exact: true })

  it('stand in order in the library', async () => {
    await page.goto(`${stack.url}/dashboard`)
    await expectFileName(link(fileName))
    await expectCutAtItsEnd(link(longName))
  })

  it('stand in order in a tag while it is typed, and in the row that has it', async () => {
    await page.getByRole('button', { name: `Actions for ${fileName}` }).click()
    await page.getByRole('menuitem', { name: 'Tags…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Tags' })
    const field = dialog.getByRole('combobox', { name: 'Tags' })
    await field.fill(speakerName)
    await field.press('Enter')
    await expectSpeakerName(dialog.getByText(speakerName, { exact: true }))
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await expectSpeakerName(page.getByRole('rowheader').getByText(speakerName, { exact: true }).first())
  })

  it('stand in order in the command palette', async () => {
    await page.keyboard.press('Control+KeyK')
    const palette = page.getByRole('dialog', { name: 'Command palette' })
    await palette.getByRole('textbox', { name: 'Search recordings, pages and actions' }).fill('1168')
    await expectFileName(palette.getByRole('button').filter({ hasText: 'پشاور' }))
    await page.keyboard.press('Escape')
  })

  it('stand in order in results of the search, where parts of them were found', async () => {
    await page.goto(`${stack.url}/search?q=${encodeURIComponent('پشاور')}`)
    const name = page.getByRole('heading', { level: 2 }).filter({ hasText: 'mp3' })
    await expectFileName(name)
    expect(await name.locator('mark').textContent()).toBe('پشاور')
  })

  it('stand in order on the page of a case', async () => {
    await page.goto(`${stack.url}/cases?case=${caseId}`)
    await expectFileName(link(fileName))
    const heading = page.getByRole('heading', { level: 1 })
    // The name reads from right to left, its date from left to right.
    expect(await visualOrder(heading, caseParts)).toEqual([')', 'Kabul', '(', '2026', '10-', '01', 'پرونده'])
  })

  it('stand in order on the page of uploads', async () => {
    await page.goto(`${stack.url}/upload`)
    const file = { name: fileName, mimeType: 'audio/mpeg', buffer: await readFile(sample) }
    await page.locator('input[type=file]').setInputFiles(file)
    await expectFileName(page.getByRole('listitem').filter({ hasText: 'mp3' }).first())
  })

  it('stand in order at the desk, and are copied as they were given', async () => {
    await page.goto(`${stack.url}/transcribe?recording=${recordingId}`)
    const heading = page.getByRole('heading', { level: 1 })
    await expectFileName(heading)
    expect(await heading.textContent()).toBe(fileName)
    expect(await page.title()).toBe('\u20681168_\u2068پشاور\u2069_2026-10-01.mp3\u2069 · Awaz')
    await heading.selectText()
    expect(await page.evaluate('getSelection().toString()')).toBe(fileName)
    await expectSpeakerName(
      pashtoRow()
        .getByTitle(/Kandahar/)
        .last(),
    )
  })

  const rows = () => page.getByRole('list', { name: 'Transcript Timeline' }).getByRole('listitem')
  const pashtoRow = () => rows().filter({ hasText: 'پیسې' })
  const englishRow = () => rows().filter({ hasText: 'hello my brother' })

  /** Returns the extents of a line's time, speaker and text. */
  async function measureLine(row: Locator, text: string) {
    await row.waitFor()
    const [time] = await measurePieces(row.locator('[data-seek]'), ['0:'])
    const speaker = await row.locator('[data-voice]').first().boundingBox()
    const [words] = await measurePieces(row, [text])
    if (!time || !speaker || !words) throw new Error('The line is not drawn')
    return { time, speaker: { left: speaker.x, right: speaker.x + speaker.width }, words }
  }

  async function choose(view: string): Promise<void> {
    await page.goto(`${stack.url}/transcribe?recording=${recordingId}`)
    await page.getByRole('button', { name: 'View', exact: true }).click()
    await page.getByRole('menuitemradio', { name: view }).click()
    await page.keyboard.press('Escape')
    await pashtoRow().waitFor()
  }

  it.each(['Side by side', 'Stacked', 'Original only'])(
    'stand with the time where the reading of a line begins: %s',
    async (view) => {
      await choose(view)
      const pashto = await measureLine(pashtoRow(), 'پیسې')
      expect(pashto.time.left).toBeGreaterThan(pashto.speaker.left)
      expect(pashto.speaker.left).toBeGreaterThanOrEqual(pashto.words.right)
      const english = await measureLine(englishRow(), 'hello')
      expect(english.time.right).toBeLessThanOrEqual(english.speaker.left)
      expect(english.speaker.right).toBeLessThanOrEqual(english.words.left)
    },
  )

  it('stand above the words on a narrow screen, at the side where they begin', async () => {
    await page.setViewportSize({ width: 360, height: 740 })
    const pashto = await measureLine(pashtoRow(), 'پیسې')
    expect(pashto.time.left).toBeGreaterThan(pashto.speaker.left)
    expect(pashto.time.right).toBeGreaterThan(270)
    const english = await measureLine(englishRow(), 'hello')
    expect(english.time.right).toBeLessThan(english.speaker.left)
    expect(english.time.left).toBeLessThan(60)
  })

  it('stand beside lines of at most about 80 characters on a wide screen', async () => {
    await page.setViewportSize({ width: 2560, height: 1300 })
    await choose('Original only')
    expect(await countCharacters(englishRow(), 'hello my brother')).toBeLessThan(95)
    expect(await countCharacters(englishRow(), 'hello my brother')).toBeGreaterThan(70)
    expect(await countCharacters(pashtoRow(), 'پیسې')).toBeLessThan(115)
    const { time, words } = await measureLine(pashtoRow(), 'پیسې')
    expect(time.left - words.right).toBeLessThan(300)
  })

  /** Returns how many characters of the average width of `text` fit on the line of a row. */
  async function countCharacters(row: Locator, text: string): Promise<number> {
    const [extent] = await measurePieces(row, [text])
    const box = await row.getByText(text).first().locator('xpath=ancestor-or-self::*[@dir][1]').boundingBox()
    if (!extent || !box) throw new Error('The line is not drawn')
    return box.width / ((extent.right - extent.left) / text.length)
  }
})

interface Recording {
  speaker_corrections_version: number
  transcription: { speaker_transcriptions: { speaker: string }[] }
}
