import { readFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { callApi } from '#testing/api-calls.ts'
import { lacks } from '#testing/needs.ts'
import { listAxeViolations } from './axe.ts'
import { toleranceSeconds, watchPlayback } from './playback.ts'
import { leaveBrowser, shareBrowser } from './shared-browser.ts'
import { giveCall, shareStack, signedIn, type SharedStack } from './shared-stack.ts'
import { signInForApi } from './stack-users.ts'

const setUpTimeoutMs = 240_000
/** A busy machine can take seconds to render a frame. */
const waitOptions = { timeout: 20_000 }
const Details = z.object({
  transcription: z.object({ segments: z.array(z.object({ start: z.number(), end: z.number() })) }),
})

// Plain script for the page: measures what reaches the speakers, left and right, and where the audio is at each key.
const measure = `
  const connect = AudioNode.prototype.connect
  AudioNode.prototype.connect = function (target, ...rest) {
    if (target === this.context.destination) tap(this)
    return connect.call(this, target, ...rest)
  }
  const analysers = []
  window.__peaks = [0, 0]
  function tap(node) {
    const splitter = node.context.createChannelSplitter(2)
    connect.call(node, splitter)
    for (const side of [0, 1]) {
      const analyser = node.context.createAnalyser()
      analyser.fftSize = 2048
      connect.call(splitter, analyser, side)
      analysers.push({ side, analyser })
    }
  }
  setInterval(() => {
    for (const { side, analyser } of analysers) {
      const samples = new Float32Array(2048)
      analyser.getFloatTimeDomainData(samples)
      for (const sample of samples) __peaks[side] = Math.max(__peaks[side], Math.abs(sample))
    }
  }, 20)
  window.__before = []
  document.addEventListener('keydown', () => {
    const audio = document.querySelector('audio')
    if (audio) __before.push(audio.currentTime)
  }, true)
`

describe.skipIf(lacks('chromium'))('listening at the desk', () => {
  let stack: SharedStack
  let browser: Browser
  let page: Page
  let line: { start: number; end: number }
  let afterFourLines: number

  beforeAll(async () => {
    stack = await shareStack({ mustChangePassword: false })
    browser = await shareBrowser()
    const id = await giveCall(stack)
    const { access_token: token } = await signInForApi(stack.url, stack.admin)
    const details = await callApi(Details, `${stack.url}/api/recordings/${id}`, { token })
    const { 0: first, 4: fifth } = details.transcription.segments
    if (!first || !fifth) throw new Error('The call has fewer than five lines')
    line = first
    afterFourLines = fifth.start
    const view = { viewport: { width: 1366, height: 800 }, reducedMotion: 'reduce' } as const
    page = await (await browser.newContext({ ...view, ...(await signedIn(stack)), bypassCSP: true })).newPage()
    page.setDefaultTimeout(20_000)
    await page.addInitScript(measure)
    await page.goto(`${stack.url}/transcribe?recording=${id}`)
    await rows().first().waitFor()
  }, setUpTimeoutMs)

  afterAll(async () => {
    await leaveBrowser(browser)
  })

  const rows = () => page.getByRole('list', { name: 'Transcript Timeline' }).locator('[data-line]')
  const { audio, position, isPaused, untilPaused, untilJump, expectAt } = watchPlayback(() => page)
  const menu = () => page.getByRole('dialog', { name: 'Listening' })

  async function openMenu() {
    await page.getByRole('button', { name: /^Listening/ }).click()
    await menu().waitFor()
  }

  /** Waits inside the page, which takes less time than polling it. */
  function untilPlayed(seconds: number) {
    return audio().evaluate(
      (element: HTMLAudioElement, end) =>
        new Promise<void>((resolve) => {
          element.addEventListener('timeupdate', function check() {
            if (element.currentTime <= end) return
            element.removeEventListener('timeupdate', check)
            resolve()
          })
        }),
      seconds,
    )
  }

  /** Plays the first four lines, two of each speaker, and returns the loudest sample of the left and the right channel. */
  async function hearPeaks(): Promise<number[]> {
    await audio().evaluate((element: HTMLAudioElement) => {
      element.pause()
      element.currentTime = 0
    })
    await page.evaluate('window.__peaks = [0, 0]')
    await page.keyboard.press('F4')
    await untilPaused(false)
    await untilPlayed(afterFourLines)
    await page.keyboard.press('F4')
    return (await page.evaluate('window.__peaks')) as number[] // as stored by the script
  }

  it('F8 plays the line that is edited, and stops at its end within 50 ms', async () => {
    await rows().first().dblclick()
    await page.getByRole('textbox', { name: /^Text of the line at/ }).waitFor()
    await page.keyboard.press('F8')
    await untilPaused(false)
    await untilPaused(true)
    await expectAt(line.end)
  })

  it('F2 goes back two seconds from where it was, while it plays too', async () => {
    await audio().evaluate((element: HTMLAudioElement) => {
      element.currentTime = 4
    })
    await page.keyboard.press('F4')
    await vi.waitFor(async () => expect(await position()).toBeGreaterThan(4.3), waitOptions)
    const after = await page.evaluate(`new Promise((resolve) => {
      const audio = document.querySelector('audio')
      audio.addEventListener('seeking', () => resolve(audio.currentTime), { once: true })
      const press = { key: 'F2', code: 'F2', bubbles: true, cancelable: true }
      document.activeElement.dispatchEvent(new KeyboardEvent('keydown', press))
    })`)
    const before = await page.evaluate('window.__before.at(-1)')
    expect(Math.abs(Number(before) - Number(after) - 2)).toBeLessThanOrEqual(toleranceSeconds)
    await page.keyboard.press('F4')
    await untilPaused(true)
  })

  it('repeats the line from its start, and never plays beyond its end by more than 50 ms', async () => {
    await page.keyboard.press('Shift+F8')
    await untilPaused(false)
    const jumps = [await untilJump(), await untilJump()]
    await page.keyboard.press('Shift+F8')
    if (!(await isPaused())) await page.keyboard.press('F4')
    await untilPaused(true)
    for (const { reached, from, stalled } of jumps) {
      const tolerance = toleranceSeconds + stalled
      expect(reached).toBeLessThanOrEqual(line.end + tolerance)
      expect(Math.abs(from - line.start)).toBeLessThanOrEqual(tolerance)
    }
  })

  it('plays at the speed of the keys with the pitch kept', async () => {
    for (const _ of [1, 2, 3]) await page.keyboard.press('F7')
    const played = (await page.evaluate(`new Promise((resolve) => {
      const audio = document.querySelector('audio')
      audio.currentTime = 0
      audio.addEventListener('timeupdate', function start() {
        if (audio.currentTime < 0.3) return
        audio.removeEventListener('timeupdate', start)
        const [from, at] = [audio.currentTime, performance.now()]
        setTimeout(() => {
          const seconds = (performance.now() - at) / 1000
          resolve({ off: audio.currentTime - from - seconds * audio.playbackRate, rate: audio.playbackRate, isKept: audio.preservesPitch })
        }, 1500)
      })
      void audio.play()
    })`)) as { off: number; rate: number; isKept: boolean } // as returned by the script
    expect(played).toMatchObject({ rate: 2, isKept: true })
    expect(Math.abs(played.off)).toBeLessThanOrEqual(toleranceSeconds)
    for (const _ of [1, 2, 3]) await page.keyboard.press('F6')
    await page.keyboard.press('F4')
    await untilPaused(true)
  })

  it('solo silences the other channel, and as recorded both are heard', async () => {
    for (const _ of [1, 2, 3, 4, 5]) await page.keyboard.press('F7')
    await openMenu()
    await menu().getByRole('button', { name: 'Solo the left channel' }).click()
    const [left = 0, otherRight = 1] = await hearPeaks()
    expect(left).toBeGreaterThan(0.05)
    expect(otherRight).toBeLessThan(0.0001)
    await menu().getByRole('button', { name: 'Solo the right channel' }).click()
    const [otherLeft = 1, right = 0] = await hearPeaks()
    expect(right).toBeGreaterThan(0.05)
    expect(otherLeft).toBeLessThan(0.0001)
    await menu().getByRole('button', { name: 'As recorded' }).click()
    const both = await hearPeaks()
    expect(Math.min(...both)).toBeGreaterThan(0.05)
  }, 180_000)

  it('raises a quiet recording without cutting it off, and filters keep it audible', async () => {
    const plain = await hearPeaks()
    await menu().getByRole('slider', { name: 'Louder, in decibels' }).press('End')
    const loud = await hearPeaks()
    expect(Math.max(...loud)).toBeGreaterThan(Math.max(...plain))
    expect(Math.max(...loud)).toBeLessThanOrEqual(1)
    await menu().getByRole('button', { name: 'As recorded' }).click()
    for (const name of [/^Telephone band/, /^Less noise/, /^Even out voices/]) {
      await menu().getByRole('switch', { name }).click()
    }
    for (const peak of await hearPeaks()) expect(peak).toBeGreaterThan(0.05)
    await menu().getByRole('button', { name: 'As recorded' }).click()
  }, 180_000)

  it('saves the line as a WAV file of its length, with its text', async () => {
    const downloads: { name: string; path: string }[] = []
    page.on('download', async (download) => {
      downloads.push({ name: download.suggestedFilename(), path: await download.path() })
    })
    await menu().getByRole('button', { name: 'Save clip' }).click()
    await vi.waitFor(() => expect(downloads).toHaveLength(2), waitOptions)
    const [sound, text] = ['.wav', '.txt'].map((end) => downloads.find(({ name }) => name.endsWith(end)))
    const bytes = await readFile(sound?.path ?? '')
    const [bytesPerSecond, dataBytes] = [bytes.readUInt32LE(28), bytes.readUInt32LE(40)]
    expect(bytes.readUInt16LE(22)).toBe(2)
    expect(Math.abs(dataBytes / bytesPerSecond - (line.end - line.start))).toBeLessThan(0.001)
    expect(bytes.subarray(44).some((byte) => byte !== 0)).toBe(true)
    expect(await readFile(text?.path ?? '', 'utf8')).toContain('[0:00]')
  })

  it('saves one channel of the line as an MP3 file of its length', async () => {
    await menu().getByText('MP3', { exact: true }).click()
    await menu().getByRole('region', { name: 'Clip' }).getByText('Right', { exact: true }).click()
    const saved = page.waitForEvent('download', (file) => file.suggestedFilename().endsWith('.mp3'))
    await menu().getByRole('button', { name: 'Save clip' }).click()
    const bytes = await readFile(await (await saved).path())
    const [seconds, channels] = await page.evaluate(async (base64) => {
      const file = await (await fetch(`data:audio/mpeg;base64,${base64}`)).arrayBuffer()
      const decoded = await new OfflineAudioContext(1, 1, 16_000).decodeAudioData(file)
      return [decoded.duration, decoded.numberOfChannels] as const
    }, bytes.toString('base64'))
    expect(channels).toBe(1)
    expect(Math.abs(seconds - (line.end - line.start))).toBeLessThan(0.05)
  })

  it('has no accessibility violation, in the layer and in the dialog of keys', async () => {
    expect(await listAxeViolations(page)).toEqual([])
    await menu().getByRole('button', { name: 'Keys and pedals…' }).click()
    await page.getByRole('dialog', { name: 'Keys and pedals' }).waitFor()
    await menu().waitFor({ state: 'hidden' })
    expect(await listAxeViolations(page)).toEqual([])
  })
})
