import { mkdir, open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { callApi } from '#testing/api-calls.ts'
import { wavHeader } from '#testing/audio.ts'
import { storeLongCall } from '#testing/long-call.ts'
import { lacks } from '#testing/needs.ts'
import { roundCount } from '#testing/rounds.ts'
import { newId } from '#data/ids.ts'
import { toleranceSeconds, watchPlayback } from './playback.ts'
import { leaveBrowser, shareBrowser } from './shared-browser.ts'
import { shareStack, signedIn, type SharedStack } from './shared-stack.ts'
import { signInForApi, withDatabase } from './stack-users.ts'

const setUpTimeoutMs = 240_000
/** A busy machine can take seconds to render a frame. */
const waitOptions = { timeout: 20_000 }
const minutes = 60
const rate = 8000
/** Where the reader starts: a line in the second half hour. */
const firstSeconds = 1900
const lineCount = roundCount(20)

const Details = z.object({
  transcription: z.object({
    segments: z.array(z.object({ start: z.number(), end: z.number(), text: z.string() })),
  }),
})

const Edited = z.object({ line_edits: z.unknown() })

/** Writes a two-channel telephone recording of a low tone, one minute repeated. */
async function writeTone(path: string): Promise<void> {
  const minute = Buffer.alloc(60 * rate * 4)
  for (let at = 0; at < 60 * rate; at += 1) {
    for (const channel of [0, 1]) {
      minute.writeInt16LE(Math.round(3000 * Math.sin((2 * Math.PI * 200 * at) / rate)), at * 4 + channel * 2)
    }
  }
  const file = await open(path, 'w')
  await file.writev([wavHeader(minutes * minute.length, 2, rate), ...Array.from({ length: minutes }, () => minute)])
  await file.close()
}

describe.skipIf(lacks('chromium'))('an hour at the desk by keyboard alone', { tags: ['rounds'] }, () => {
  let stack: SharedStack
  let browser: Browser
  let page: Page
  let address: string
  let token: string
  let segments: z.infer<typeof Details>['transcription']['segments']

  beforeAll(async () => {
    stack = await shareStack({ mustChangePassword: false })
    browser = await shareBrowser()
    const id = newId()
    const folder = join(stack.dataDir, 'audio', id.slice(-2))
    await mkdir(folder, { recursive: true })
    await writeTone(join(folder, `${id}.wav`))
    const recording = { id, name: 'Hour.wav', extension: 'wav', sizeBytes: 44 + minutes * 60 * rate * 4 }
    await withDatabase(stack, (database) => storeLongCall(database, stack.admin.id, { minutes, recording }))
    token = (await signInForApi(stack.url, stack.admin)).access_token
    address = `/api/recordings/${id}`
    segments = (await callApi(Details, `${stack.url}${address}`, { token })).transcription.segments
    const view = { viewport: { width: 1366, height: 800 }, reducedMotion: 'reduce' } as const
    page = await (await browser.newContext({ ...view, ...(await signedIn(stack)) })).newPage()
    page.setDefaultTimeout(20_000)
    await page.goto(`${stack.url}/transcribe?recording=${id}&t=${firstSeconds}`)
    await rows().first().waitFor()
  }, setUpTimeoutMs)

  afterAll(async () => {
    await leaveBrowser(browser)
  })

  const rows = () => page.getByRole('list', { name: 'Transcript Timeline' }).locator('[data-line]')
  const field = () => page.getByRole('textbox', { name: /^Text of the line at/ })
  const { position, isPaused, untilPaused, untilJump, expectAt } = watchPlayback(() => page)

  async function editedLine() {
    const place = await rows().filter({ has: field() }).getAttribute('aria-posinset')
    const line = segments[Number(place) - 1]
    if (!line) throw new Error('No line is edited')
    return line
  }

  it(
    'corrects and verifies lines with the line, a loop, back 2 seconds and speed, always where it should be',
    async () => {
      await page.keyboard.press('Alt+y')
      await page.locator('li:focus').waitFor()
      await page.keyboard.press('e')
      await field().waitFor()
      const corrected: string[] = []
      for (let round = 0; round < lineCount; round += 1) {
        const line = await editedLine()
        await page.keyboard.press('F8')
        await untilPaused(false)
        await untilPaused(true)
        await expectAt(line.end)

        await page.keyboard.press('F2')
        await vi.waitFor(() => expectAt(line.end - 2), waitOptions)

        for (const _ of [1, 2, 3]) await page.keyboard.press('F7')
        await page.keyboard.press('Shift+F8')
        await vi.waitFor(async () => expect(await position()).toBeGreaterThan(line.start), waitOptions)
        const { reached, from, stalled } = await untilJump()
        // It plays at twice the speed.
        const tolerance = toleranceSeconds + 2 * stalled
        expect(reached).toBeLessThanOrEqual(line.end + tolerance)
        expect(Math.abs(from - line.start)).toBeLessThanOrEqual(tolerance)
        await page.keyboard.press('Shift+F8')
        if (!(await isPaused())) await page.keyboard.press('F4')
        await untilPaused(true)
        for (const _ of [1, 2, 3]) await page.keyboard.press('F6')

        await page.keyboard.press('End')
        await page.keyboard.type(` ${round}.`)
        await page.keyboard.press('Alt+v')
        corrected.push(`${line.text} ${round}.`)
        await page.keyboard.press('Enter')
        await vi.waitFor(async () => expect(await editedLine()).not.toBe(line), waitOptions)
        const verified = page.getByRole('img', { name: /^Verified by/ })
        await rows()
          .filter({ hasText: `${line.text} ${round}.`, has: verified })
          .waitFor()
      }
      await page.keyboard.press('Escape')
      await page.getByRole('group', { name: 'Changes' }).getByText('Saved').waitFor()

      const edited = JSON.stringify(await callApi(Edited, `${stack.url}${address}`, { token }))
      expect(corrected.filter((text) => !edited.includes(text))).toEqual([])
    },
    lineCount * 60_000,
  )
})
