import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { launchBrowser } from '#testing/browser.ts'
import { startStack } from '#testing/stack.ts'
import { measureLibrary } from './web/library.ts'
import { measureLongCalls } from './web/long-call.ts'

/** Cost of the first visit to a page. */
interface PageCost {
  path: string
  requests: number
  /** Bytes received by the browser. */
  transferBytes: number
  scriptBytes: number
  /** Size of the scripts after gzip, whatever encoding the server used. The budget of the sign-in page is 180 kB. */
  scriptGzipBytes: number
  /** Size of the language's texts after gzip. They are not scripts; they load once, in parallel with the app. */
  textsGzipBytes: number
  largestPaintMs: number
  layoutShift: number
  longTasks: number
}

/** Maximum size of the sign-in page's scripts after gzip. */
const signInScriptBudgetBytes = 180_000

// Plain script for the page: the observers must exist before the first paint.
const observe = `
  window.__cost = { largestPaintMs: 0, layoutShift: 0, longTasks: 0 }
  new PerformanceObserver((list) => { for (const entry of list.getEntries()) __cost.largestPaintMs = entry.startTime })
    .observe({ type: 'largest-contentful-paint', buffered: true })
  new PerformanceObserver((list) => { for (const entry of list.getEntries()) if (!entry.hadRecentInput) __cost.layoutShift += entry.value })
    .observe({ type: 'layout-shift', buffered: true })
  new PerformanceObserver((list) => { __cost.longTasks += list.getEntries().length })
    .observe({ type: 'longtask', buffered: true })
`

/** Measures the first load of `path` in an empty browser. */
async function measurePage(page: Page, url: string, path: string): Promise<PageCost> {
  const cost = { path, requests: 0, transferBytes: 0, scriptBytes: 0, scriptGzipBytes: 0, textsGzipBytes: 0 }
  const reading: Promise<void>[] = []
  page.on('requestfinished', (request) => {
    reading.push(
      (async () => {
        const response = await request.response()
        const body = await response?.body()
        cost.requests += 1
        cost.transferBytes += (await request.sizes()).responseBodySize
        if (request.resourceType() !== 'script' || !body) return
        if (request.url().startsWith(`${url}/texts/`)) {
          cost.textsGzipBytes += gzipSync(body).length
          return
        }
        cost.scriptBytes += body.length
        cost.scriptGzipBytes += gzipSync(body).length
      })(),
    )
  })
  await page.addInitScript(observe)
  await page.goto(`${url}${path}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForLoadState('networkidle')
  await Promise.all(reading)
  // Created in the page by the script above.
  const seen = (await page.evaluate('window.__cost')) as Pick<PageCost, 'largestPaintMs' | 'layoutShift' | 'longTasks'>
  return { ...cost, ...seen }
}

/**
 * Prints the cost of the pages that open without sign-in, of opening a finished one-hour call, and of a library of ten thousand
 * recordings; fails if one exceeds its budget. `--only pages`, `--only call` or `--only library` measures one of them.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { only: { type: 'string' } } })
  const parts = { pages: measurePages, call: measureLongCalls, library: measureLibrary }
  for (const [name, measure] of Object.entries(parts)) {
    if (values.only === undefined || values.only === name) await measure()
  }
}

async function measurePages(): Promise<void> {
  const stack = await startStack()
  const browser = await launchBrowser()
  const costs: PageCost[] = []
  try {
    const visits = [
      ...['/login', '/signup', '/terms'].map((path) => ({ path, locale: 'en' })),
      { path: '/login', locale: 'fa' },
    ]
    for (const { path, locale } of visits) {
      const context = await browser.newContext({ locale })
      costs.push(await measurePage(await context.newPage(), stack.url, path))
      await context.close()
    }
  } finally {
    await browser.close()
    await stack.stop()
  }
  console.table(costs.map((cost) => ({ ...cost, largestPaintMs: Math.round(cost.largestPaintMs) })))
  const signIn = costs.filter(({ path }) => path === '/login')
  if (signIn.some(({ scriptGzipBytes }) => scriptGzipBytes > signInScriptBudgetBytes)) process.exitCode = 1
}
