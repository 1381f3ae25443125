import type { Page } from 'playwright-core'

/** What a tab has done so far. */
export interface WatchedTab {
  name: string
  page: Page
  /** When each call of the API was sent, by performance.now(). */
  calls: { atMs: number; path: string }[]
  /** Returns how many responses reported an exceeded rate limit. */
  limited: () => number
  /** Returns the duration in milliseconds of the longest task since the previous call. */
  takeLongestTask: () => Promise<number>
  /** Returns what the page says in place of its content; undefined where it shows its content. */
  readError: () => Promise<string | undefined>
}

// Plain script for the page: long tasks are observed from the beginning.
const observe = `
  window.__longestTask = 0
  new PerformanceObserver((list) => { for (const { duration } of list.getEntries()) __longestTask = Math.max(__longestTask, duration) })
    .observe({ type: 'longtask', buffered: true })
`

const takeLongest = `(() => {
  const longest = window.__longestTask
  window.__longestTask = 0
  return longest
})()`

const findError = `
  [...document.querySelectorAll('main [role=alert], main h2')].map((element) => element.textContent)
    .find((text) => /cannot be reached|could not|Error|Too many requests/.test(text))
`

/** Records the API calls of a tab, how long it was blocked, and any error it shows. Call it before the page is loaded. */
export async function watchTab(page: Page, name: string): Promise<WatchedTab> {
  const calls: WatchedTab['calls'] = []
  let limited = 0
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/')) calls.push({ atMs: performance.now(), path: `${request.method()} ${pathname}` })
  })
  page.on('response', (response) => {
    if (response.status() === 429) limited += 1
  })
  await page.addInitScript(observe)
  return {
    name,
    page,
    calls,
    limited: () => limited,
    takeLongestTask: async () => (await page.evaluate(takeLongest)) as number, // as the script returns it
    readError: async () => (await page.evaluate(findError)) as string | undefined, // a text or nothing
  }
}

/** Returns the most calls within any minute. */
export function countBusiestMinute(calls: readonly { atMs: number }[]): number {
  let first = 0
  let most = 0
  for (const [last, { atMs }] of calls.entries()) {
    while ((calls[first]?.atMs ?? atMs) <= atMs - 60_000) first += 1
    most = Math.max(most, last - first + 1)
  }
  return most
}
