import type { Page } from 'playwright-core'
import { expect, vi } from 'vitest'

/** A busy machine can take seconds to render a frame. */
const waitOptions = { timeout: 20_000 }

/** How far a position may be off, in seconds, in addition to the time in which a busy machine does not run the page at all. */
export const toleranceSeconds = 0.05

/** A stop or a jump back of the audio. All values in seconds. */
interface Jump {
  reached: number
  /** Where it continued. */
  from: number
  /** How long the page did not run and could not stop the audio. */
  stalled: number
}

// Plain script for the page: polls the audio position every 5 ms until it stops or jumps back.
const watchForJump = `new Promise((resolve) => {
  const audio = document.querySelector('audio')
  let last = audio.currentTime, ranAt = performance.now(), stalled = 0
  const timer = setInterval(() => {
    stalled = Math.max(stalled, (performance.now() - ranAt - 5) / 1000)
    ranAt = performance.now()
    const now = audio.currentTime
    if (!audio.paused && now >= last - 0.2) return void (last = now)
    clearInterval(timer)
    resolve({ reached: audio.paused ? now : last, from: now, stalled })
  }, 5)
})`

/** Returns functions that measure the desk's audio in a page. */
export function watchPlayback(page: () => Page) {
  const audio = () => page().locator('audio')
  const position = () => audio().evaluate((element: HTMLAudioElement) => element.currentTime)
  const isPaused = () => audio().evaluate((element: HTMLAudioElement) => element.paused)
  return {
    audio,
    position,
    isPaused,
    untilPaused: (expected: boolean) => vi.waitFor(async () => expect(await isPaused()).toBe(expected), waitOptions),
    async untilJump(): Promise<Jump> {
      return (await page().evaluate(watchForJump)) as Jump // as returned by the script
    },
    async expectAt(seconds: number) {
      expect(Math.abs((await position()) - seconds)).toBeLessThanOrEqual(toleranceSeconds)
    },
  }
}
