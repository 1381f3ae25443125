import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core'
import { connectDatabase } from '#data/connect.ts'
import { createUserRepository } from '#data/users/users.ts'
import { launchBrowser } from '#testing/browser.ts'
import { storeLongCall } from '#testing/long-call.ts'
import { startStack, type Stack } from '#testing/stack.ts'
import { signIn } from '../../screenshots/walks.ts'
import { printLimits, type LimitedFigure } from '../limits.ts'

const callCount = 10
const minutes = 60
const viewport = { width: 1280, height: 720 }

/** Draws frames as fast as possible: with a frame limit, each takes at least 16.7 ms, whatever its cost. */
const unlimitedFrames = ['--disable-gpu-vsync', '--disable-frame-rate-limit']

// Plain script for the page: long tasks are observed from the beginning.
const observe = `
  window.__longTasks = []
  new PerformanceObserver((list) => { for (const entry of list.getEntries()) __longTasks.push({ start: entry.startTime, ms: entry.duration }) })
    .observe({ type: 'longtask', buffered: true })
`

const rows = `document.querySelectorAll('[aria-label="Transcript Timeline"] [role="listitem"], [aria-label="Transcript Timeline"] li')`

/** Clicks the link to a recording; resolves to the time until rows of the conversation have been painted. */
const openByClick = (id: string) => `
  new Promise((resolve) => {
    const start = performance.now()
    const observer = new MutationObserver(() => {
      if (![...${rows}].some((row) => row.textContent.trim().length > 20)) return
      observer.disconnect()
      requestAnimationFrame(() => resolve({ start, ms: performance.now() - start }))
    })
    observer.observe(document.body, { childList: true, subtree: true, characterData: true })
    document.querySelector('a[href="/transcribe?recording=${id}"]').click()
  })
`

/** Clicks a control of the conversation; resolves to the time until the frame after its effect. */
const clickFilter = `
  new Promise((resolve) => {
    const control = [...document.querySelectorAll('button, input[type=checkbox], label')]
      .find((element) => /only hits/i.test(element.textContent || element.getAttribute('aria-label') || ''))
    const start = performance.now()
    control.click()
    requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now() - start)))
  })
`

/** Scrolls the conversation from top to bottom one wheel notch at a time; resolves to the duration of each frame. */
const scrollFrames = `
  new Promise((resolve) => {
    const list = document.querySelector('[aria-label="Transcript Timeline"]')
    let scroller = list
    while (scroller && scroller.scrollHeight <= scroller.clientHeight + 1) scroller = scroller.parentElement
    const frames = []
    let last = performance.now()
    let count = 0
    const step = () => {
      const now = performance.now()
      frames.push(now - last)
      last = now
      scroller.scrollTop += 100
      if (++count < 300) requestAnimationFrame(step)
      else resolve(frames.slice(1))
    }
    requestAnimationFrame(step)
  })
`

/** Opens finished one-hour calls and measures what the analyst waits for. Prints each figure with its limit. */
export async function measureLongCalls(): Promise<void> {
  const stack = await startStack()
  const browsers: Browser[] = []
  try {
    const ids = await storeCalls(stack)
    const [first = ''] = ids
    const browser = await launchBrowser()
    browsers.push(browser)
    const context = await browser.newContext({ viewport })
    const opening = await measureOpening(context, stack, ids)
    // A separate browser: during opening, an animation without a frame limit would take the time of everything else.
    const unlimited = await launchBrowser(unlimitedFrames)
    browsers.push(unlimited)
    const signedIn = await unlimited.newContext({ viewport, storageState: await context.storageState() })
    const using = await measureUse(await signedIn.newPage(), `${stack.url}/transcribe?recording=${first}`)
    printLimits([...opening, ...using])
  } finally {
    for (const browser of browsers) await browser.close()
    await stack.stop()
  }
}

/** Stores finished calls of the first admin and returns their ids, newest first. */
async function storeCalls({ dataDir, admin }: Stack): Promise<string[]> {
  const mongodbUri = (await readFile(join(dataDir, 'db/uri'), 'utf8')).trim()
  const database = await connectDatabase({ mongodbUri })
  try {
    const owner = await createUserRepository(database.connection).findByEmail(admin.email)
    if (!owner) throw new Error('There is no first admin')
    const ids: string[] = []
    for (let index = 0; index < callCount; index += 1) {
      const { recordingId } = await storeLongCall(database, owner.id, { minutes })
      ids.unshift(recordingId)
    }
    return ids
  } finally {
    await database.close()
  }
}

async function measureOpening(context: BrowserContext, stack: Stack, ids: string[]): Promise<LimitedFigure[]> {
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  await page.addInitScript(observe)
  await signIn(page, stack, async () => undefined)
  const session = await context.newCDPSession(page)
  const [first = '', ...others] = ids
  const bytes = await countBytes(session)
  await showDashboard(page, stack.url, first)
  await waitUntilQuiet(bytes)
  const before = bytes.total
  const opened = await open(page, first)
  await waitUntilQuiet(bytes)
  const received = bytes.total - before
  const longestTaskMs = await readLongestTask(page, opened.start)
  const { height, nodes } = await readSize(page)
  const firstHeap = await readHeap(session)
  const openingMs = [opened.ms]
  for (const id of others) {
    await page.goBack()
    await page.locator(`a[href="/transcribe?recording=${id}"]`).waitFor()
    await waitUntilQuiet(bytes)
    openingMs.push((await open(page, id)).ms)
  }
  await waitUntilQuiet(bytes)
  const heapRatio = (await readHeap(session)) / firstHeap
  await page.close()
  return [
    { name: 'page height', value: height, limit: viewport.height, unit: 'px' },
    { name: 'DOM nodes', value: nodes, limit: 2500, unit: '' },
    { name: 'click to readable list, first call', value: opened.ms, limit: 1000, unit: 'ms' },
    {
      name: `click to readable list, median of ${ids.length}`,
      value: percentile(openingMs, 0.5),
      limit: 1000,
      unit: 'ms',
    },
    { name: 'longest task while opening', value: longestTaskMs, limit: 200, unit: 'ms' },
    { name: 'received while opening, compressed', value: received / 1000, limit: 400, unit: 'kB' },
    { name: `heap after ${ids.length} calls, times that after one`, value: heapRatio, limit: 1.3, unit: '' },
  ]
}

async function measureUse(page: Page, address: string): Promise<LimitedFigure[]> {
  await page.goto(address)
  await page.getByRole('list', { name: 'Transcript Timeline' }).getByRole('listitem').first().waitFor()
  const frames = (await page.evaluate(scrollFrames)) as number[] // as the script returns them
  const filterMs = (await page.evaluate(clickFilter)) as number
  return [
    { name: 'frame while scrolling, median', value: percentile(frames, 0.5), limit: 16, unit: 'ms' },
    { name: 'frame while scrolling, p95', value: percentile(frames, 0.95), limit: 16, unit: 'ms' },
    { name: 'filter to the frame after', value: filterMs, limit: 50, unit: 'ms' },
  ]
}

async function showDashboard(page: Page, url: string, id: string): Promise<void> {
  await page.goto(`${url}/dashboard`)
  await page.locator(`a[href="/transcribe?recording=${id}"]`).waitFor()
}

async function open(page: Page, id: string): Promise<{ start: number; ms: number }> {
  return (await page.evaluate(openByClick(id))) as { start: number; ms: number } // as the script returns it
}

/** Counts the bytes of responses as they came over the wire, with headers. */
async function countBytes(session: CDPSession): Promise<{ total: number }> {
  const bytes = { total: 0 }
  await session.send('Network.enable')
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes.total += encodedDataLength
  })
  return bytes
}

/** Resolves when no response has ended for a while. The event stream never ends, so the browser's network-idle state does not apply. */
async function waitUntilQuiet(bytes: { total: number }): Promise<void> {
  let seen = -1
  while (bytes.total !== seen) {
    seen = bytes.total
    await sleep(1500)
  }
}

async function readLongestTask(page: Page, since: number): Promise<number> {
  // Created by the script that runs before the page's own.
  const tasks = (await page.evaluate('window.__longTasks')) as { start: number; ms: number }[]
  return Math.max(0, ...tasks.filter(({ start }) => start >= since).map(({ ms }) => ms))
}

async function readSize(page: Page): Promise<{ height: number; nodes: number }> {
  const read = `({ height: document.scrollingElement.scrollHeight, nodes: document.querySelectorAll('*').length })`
  return (await page.evaluate(read)) as { height: number; nodes: number } // as the script returns it
}

/** Returns the bytes in use on the JavaScript heap after a garbage collection. */
async function readHeap(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  return usedSize
}

function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
