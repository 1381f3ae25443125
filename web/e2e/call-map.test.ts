import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { lacks } from '#testing/needs.ts'
import { listAxeViolations } from './axe.ts'
import { leaveBrowser, shareBrowser } from './shared-browser.ts'
import { giveCall, shareStack, signedIn, type SharedStack } from './shared-stack.ts'

/** A busy machine can take seconds to render a frame. */
const waitOptions = { timeout: 20_000 }

describe.skipIf(lacks('chromium'))('the call map', () => {
  let stack: SharedStack
  let browser: Browser
  let page: Page

  beforeAll(async () => {
    stack = await shareStack({ mustChangePassword: false })
    browser = await shareBrowser()
    const recordingId = await giveCall(stack)
    const view = { viewport: { width: 1280, height: 720 }, reducedMotion: 'reduce' } as const
    // The page's policy forbids injected scripts, and axe is one.
    const context = await browser.newContext({ ...view, ...(await signedIn(stack)), bypassCSP: true })
    page = await context.newPage()
    page.setDefaultTimeout(20_000)
    await page.goto(`${stack.url}/transcribe?recording=${recordingId}`)
    await page.getByRole('button', { name: 'Retranscribe' }).waitFor()
  }, 240_000)

  afterAll(async () => {
    await leaveBrowser(browser)
  })

  const map = () => page.getByRole('slider', { name: 'Position on the call map' })
  const scrollBar = () => page.getByRole('scrollbar', { name: 'Shown part of the call map' })
  const tooltip = () => page.getByRole('tooltip')
  const readNumber = async (of: Locator) => Number(await of.getAttribute('aria-valuenow'))
  const isAbout = (seconds: number): unknown => expect.closeTo(seconds, 0)

  /** Returns the point at a fraction of the map's width, on one of its lanes. */
  async function pointAt(share: number, lane: 0 | 1 = 0) {
    const box = await map().boundingBox()
    if (!box) throw new Error('The map is not on screen')
    return { x: box.x + share * box.width, y: box.y + box.height * (lane === 0 ? 0.4 : 0.8) }
  }

  async function showAll() {
    await map().press('0')
    await scrollBar().waitFor({ state: 'detached' })
  }

  /** Hovers over a lane until the tooltip shows a text in this language, which means that there is speech. */
  async function hoverSpeech(lane: 0 | 1, language: string) {
    for (let share = 0.02; share < 1; share += 0.04) {
      const { x, y } = await pointAt(share, lane)
      await page.mouse.move(x, y)
      if ((await tooltip().locator(`[lang=${language}]`).count()) > 0) return
    }
  }

  it('shows sound on both lanes', async () => {
    const inkAt = (share: number) =>
      page.evaluate<number>(`(() => {
        const canvas = document.querySelector('[aria-label="Call map"] canvas')
        const row = Math.round(canvas.height * ${share})
        const { data } = canvas.getContext('2d').getImageData(0, row, canvas.width, 1)
        return data.filter((value, index) => index % 4 === 3 && value === 255).length
      })()`)
    // Measured a little above the middle of each lane: silence is drawn as a line in the middle.
    await vi.waitFor(async () => {
      expect(await inkAt(0.34)).toBeGreaterThan(50)
      expect(await inkAt(0.76)).toBeGreaterThan(50)
    }, waitOptions)
  })

  it('shows the frequencies of both lanes, and the loudness again', async () => {
    const canvases = page.locator('[aria-label="Call map"] canvas')
    await page.getByRole('button', { name: 'Spectrogram' }).click()
    await canvases.nth(2).waitFor()
    const inkOf = (from: number, to: number) =>
      page.evaluate<number>(`(() => {
        const canvas = document.querySelectorAll('[aria-label="Call map"] canvas')[1]
        const [top, bottom] = [${from}, ${to}].map((share) => Math.round(canvas.height * share))
        const { data } = canvas.getContext('2d').getImageData(40, top, canvas.width - 40, bottom - top)
        return data.filter((value, index) => index % 4 === 3 && value > 100).length
      })()`)
    expect(await inkOf(0.12, 0.5)).toBeGreaterThan(500)
    expect(await inkOf(0.6, 1)).toBeGreaterThan(500)
    await page.getByRole('button', { name: 'Spectrogram', pressed: true }).click()
    await canvases.nth(2).waitFor({ state: 'detached' })
  })

  it('tells time, speaker and line at the pointer, each text in its direction', async () => {
    await hoverSpeech(0, 'ps')
    expect(await tooltip().textContent()).toMatch(/^0:\d\d.*Left Channel/)
    expect(await tooltip().locator('[lang=ps]').getAttribute('dir')).toBe('rtl')
    await hoverSpeech(1, 'en')
    expect(await tooltip().textContent()).toContain('Right Channel')
    expect(await tooltip().locator('[lang=en]').getAttribute('dir')).toBe('ltr')
  })

  it('seeks by click and by dragging', async () => {
    const [click, from, to] = [await pointAt(0.5), await pointAt(0.2), await pointAt(0.75)]
    const duration = Number(await map().getAttribute('aria-valuemax'))
    await page.mouse.click(click.x, click.y)
    expect(await readNumber(map())).toEqual(isAbout(duration * 0.5))
    await page.mouse.move(from.x, from.y)
    await page.mouse.down()
    await page.mouse.move(to.x, to.y, { steps: 4 })
    await page.mouse.up()
    expect(await readNumber(map())).toEqual(isAbout(duration * 0.75))
  })

  it('zooms with the wheel around the pointer, and scrolls', async () => {
    const point = await pointAt(0.5)
    await page.mouse.move(point.x, point.y)
    const timeAtPointer = () => tooltip().textContent()
    const before = (await timeAtPointer())?.slice(0, 4)
    await page.mouse.wheel(0, -300)
    await scrollBar().waitFor()
    expect((await timeAtPointer())?.slice(0, 4)).toBe(before)
    const shown = await readNumber(scrollBar())
    await page.mouse.wheel(120, 0)
    await vi.waitFor(async () => expect(await readNumber(scrollBar())).toBeGreaterThan(shown), waitOptions)
    await page.mouse.wheel(0, 2000)
    await scrollBar().waitFor({ state: 'detached' })
  })

  it('does all of it by keyboard', async () => {
    await map().focus()
    await page.keyboard.press('Home')
    expect(await readNumber(map())).toBe(0)
    await page.keyboard.press('+')
    await scrollBar().waitFor()
    const shown = await readNumber(scrollBar())
    await page.keyboard.press('End')
    await vi.waitFor(async () => expect(await readNumber(scrollBar())).toBeGreaterThan(shown), waitOptions)
    await page.keyboard.press('0')
    await scrollBar().waitFor({ state: 'detached' })
  })

  it('lists its marks for the keyboard', async () => {
    await map().focus()
    await page.keyboard.press('Home')
    await page.keyboard.press('Tab')
    const toggle = page.getByRole('button', { name: /^List of marks/ })
    expect((await toggle.boundingBox())?.height).toBeGreaterThanOrEqual(24)
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await page.keyboard.press('End')
    const mark = page.getByRole('list', { name: 'Marks on the call map' }).getByRole('button').last()
    const [clock = ''] = /^\d+:\d\d/.exec((await mark.textContent()) ?? '') ?? []
    await page.keyboard.press('Enter')
    expect(await map().getAttribute('aria-valuetext')).toMatch(new RegExp(`^${clock} of`))
    await page.keyboard.press('Escape')
    expect(await toggle.evaluate((button) => button === document.activeElement)).toBe(true)
  })

  it('takes fingers: a tap seeks, two zoom', async () => {
    const session = await page.context().newCDPSession(page)
    await session.send('Emulation.setTouchEmulationEnabled', { enabled: true, maxTouchPoints: 2 })
    const touch = (
      type: 'touchStart' | 'touchMove' | 'touchEnd',
      touchPoints: { x: number; y: number; id: number }[],
    ) => session.send('Input.dispatchTouchEvent', { type, touchPoints })
    const duration = Number(await map().getAttribute('aria-valuemax'))
    const [left, right] = [
      { ...(await pointAt(0.25)), id: 1 },
      { ...(await pointAt(0.5)), id: 2 },
    ]
    await touch('touchStart', [left])
    await touch('touchEnd', [])
    await vi.waitFor(async () => expect(await readNumber(map())).toEqual(isAbout(duration / 4)), waitOptions)
    await touch('touchStart', [left, right])
    await touch('touchMove', [left, { ...right, x: right.x + (right.x - left.x) }])
    await touch('touchEnd', [])
    await scrollBar().waitFor()
    expect(await readNumber(map())).toEqual(isAbout(duration / 4))
    await session.send('Emulation.setTouchEmulationEnabled', { enabled: false })
    await showAll()
  })

  it('follows playback while zoomed', async () => {
    await map().focus()
    await page.keyboard.press('Home')
    for (let press = 0; press < 4; press += 1) await page.keyboard.press('+')
    await scrollBar().waitFor()
    const end = await pointAt(0.97)
    await page.mouse.click(end.x, end.y)
    await page.getByRole('button', { name: 'Play', exact: true }).click()
    await vi.waitFor(async () => expect(await readNumber(scrollBar())).toBeGreaterThan(5), waitOptions)
    await page.getByRole('button', { name: 'Pause' }).click()
    await showAll()
  })

  it.each(['light', 'dark'] as const)('has no accessibility violation in %s, and fits a phone', async (colorScheme) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await map().press('+')
    await scrollBar().waitFor()
    expect(await listAxeViolations(page, '[aria-label="Call map"]')).toEqual([])
    await page.setViewportSize({ width: 360, height: 760 })
    await vi.waitFor(async () => expect((await map().boundingBox())?.height).toBe(64), waitOptions)
    expect(await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')).toBe(0)
    expect(await listAxeViolations(page, '[aria-label="Call map"]')).toEqual([])
    await page.setViewportSize({ width: 1280, height: 720 })
    await showAll()
  })
})
