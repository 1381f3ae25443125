import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { connectDatabase } from '#data/connect.ts'
import { createUserRepository } from '#data/users/users.ts'
import { launchBrowser } from '#testing/browser.ts'
import { storeListedRecordings } from '#testing/listed-recordings.ts'
import { startStack, type Stack } from '#testing/stack.ts'
import { signIn } from '../../screenshots/walks.ts'
import { printLimits, type LimitedFigure } from '../limits.ts'

const recordingCount = 10_000
const visits = 5

/** Resolves to the time from the request for the page until rows of recordings have been painted. */
const firstRows = `
  new Promise((resolve) => {
    const isShown = () => document.querySelectorAll('[role=grid] a[href^="/transcribe?recording="]').length > 5
    const settle = () => requestAnimationFrame(() => setTimeout(() => resolve(performance.now())))
    if (isShown()) return settle()
    const observer = new MutationObserver(() => {
      if (!isShown()) return
      observer.disconnect()
      settle()
    })
    observer.observe(document.documentElement, { childList: true, subtree: true })
  })
`

const paintTime = `performance.getEntriesByName('first-contentful-paint')[0].startTime`

/** Clicks the element that a script finds; resolves to the time until other rows have been painted. */
const changeRows = (find: string) => `
  new Promise((resolve) => {
    const first = () => document.querySelector('[role=grid] [data-index="0"] a')?.textContent
    const before = first()
    const start = performance.now()
    const observer = new MutationObserver(() => {
      if (!first() || first() === before) return
      observer.disconnect()
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - start)))
    })
    observer.observe(document.body, { childList: true, subtree: true, characterData: true })
    const control = ${find}
    control.click()
  })
`

/** Scrolls through the list one wheel notch at a time; resolves to the duration of each frame. */
const scrollFrames = `
  new Promise((resolve) => {
    const grid = document.querySelector('[role=grid]')
    const frames = []
    let last = performance.now()
    const step = () => {
      const now = performance.now()
      frames.push(now - last)
      last = now
      grid.scrollTop += 100
      if (frames.length < 300) requestAnimationFrame(step)
      else resolve(frames.slice(1))
    }
    requestAnimationFrame(step)
  })
`

const columnButton = (name: string) =>
  `[...document.querySelectorAll('[role=columnheader] button')].find((each) => each.textContent === '${name}')`

/** Opens the library of an account with ten thousand recordings. Prints each figure with its limit. */
export async function measureLibrary(): Promise<void> {
  const stack = await startStack()
  const browser = await launchBrowser()
  try {
    const context = await browser.newContext({ viewport: { width: 1280, height: 720 } })
    const page = await context.newPage()
    page.setDefaultTimeout(60_000)
    await signIn(page, stack, async () => undefined)
    await page.close()
    // Only after this user's first list, as in real use: that list writes, once, the entries that recordings of older versions lack.
    await storeRecordings(stack)
    const opening = await measureVisits(context, stack.url)
    printLimits([...opening, ...(await measureUse(await context.newPage(), stack.url))])
  } finally {
    await browser.close()
    await stack.stop()
  }
}

async function measureVisits(context: BrowserContext, url: string): Promise<LimitedFigure[]> {
  const times: number[] = []
  let firstPaint = 0
  for (let visit = 0; visit < visits; visit += 1) {
    const page = await context.newPage()
    await page.goto(`${url}/dashboard`, { waitUntil: 'commit' })
    times.push((await page.evaluate(firstRows)) as number) // as the script returns it
    firstPaint = Math.max(firstPaint, (await page.evaluate(paintTime)) as number)
    await page.close()
  }
  const [first = 0] = times
  return [
    { name: `first contentful paint, slowest of ${visits} visits`, value: firstPaint, limit: 1500, unit: 'ms' },
    { name: 'first visit to painted rows', value: first, limit: 1500, unit: 'ms' },
    { name: `visit to painted rows, median of ${visits}`, value: percentile(times, 0.5), limit: 1500, unit: 'ms' },
  ]
}

async function measureUse(page: Page, url: string): Promise<LimitedFigure[]> {
  await page.goto(`${url}/dashboard`)
  await page.getByRole('row').nth(5).waitFor()
  const nodes = (await page.evaluate(`document.querySelectorAll('*').length`)) as number
  const sortMs: number[] = []
  for (const column of ['Name', 'Duration', 'Hits', 'State', 'Added']) {
    sortMs.push((await page.evaluate(changeRows(columnButton(column)))) as number)
  }
  const frames = (await page.evaluate(scrollFrames)) as number[]
  await page.goto(`${url}/dashboard`)
  await page.getByRole('search').getByRole('button', { name: 'State' }).click()
  await page.getByRole('menuitemcheckbox', { name: /^Failed/ }).waitFor()
  const item = `[...document.querySelectorAll('[role=menuitemcheckbox]')].find((each) => each.textContent.startsWith('Failed'))`
  const filterMs = (await page.evaluate(changeRows(item))) as number
  return [
    { name: 'DOM nodes', value: nodes, limit: 2500, unit: '' },
    { name: 'sort to painted rows, median of 5 columns', value: percentile(sortMs, 0.5), limit: 300, unit: 'ms' },
    { name: 'sort to painted rows, slowest column', value: Math.max(...sortMs), limit: 450, unit: 'ms' },
    { name: 'filter to painted rows', value: filterMs, limit: 300, unit: 'ms' },
    { name: 'frame while scrolling, p95', value: percentile(frames, 0.95), limit: 34, unit: 'ms' },
  ]
}

/** Stores recordings of the first admin with the fields that lists show, without files or jobs. */
async function storeRecordings({ dataDir, admin }: Stack): Promise<void> {
  const mongodbUri = (await readFile(join(dataDir, 'db/uri'), 'utf8')).trim()
  const database = await connectDatabase({ mongodbUri })
  try {
    const owner = await createUserRepository(database.connection).findByEmail(admin.email)
    if (!owner) throw new Error('There is no first admin')
    await storeListedRecordings(database.connection, owner.id, recordingCount)
  } finally {
    await database.close()
  }
}

function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
