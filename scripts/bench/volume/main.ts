import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { BrowserContext, Page } from 'playwright-core'
import { connectDatabase } from '#data/connect.ts'
import { createUserRepository } from '#data/users/users.ts'
import { launchBrowser } from '#testing/browser.ts'
import { storeLongCall } from '#testing/long-call.ts'
import { startStack, type Stack } from '#testing/stack.ts'
import { signIn } from '../../screenshots/walks.ts'
import { printLimits } from '../limits.ts'
import { countBusiestMinute, watchTab, type WatchedTab } from './watch-tab.ts'

type LongestTasks = Record<string, number>

const defaultCount = 1_000
const callMinutes = 0.25
const openMinutes = 10
const changedName = 'volume'
const libraryPath = `/dashboard?states=done&search=${changedName}`
const maxCallsPerMinute = 60
const maxTaskMs = 100
const stepTimeoutMs = 1_800_000
const actionTimeoutMs = 60_000
/** A tab that has sent no request for this long has shown everything. */
const quietMs = 12_000

/**
 * Tags, scans, deletes and restores 1,000 transcribed recordings while the library, the alerts and a call are open in three tabs. Prints
 * each tab's calls in its busiest minute (including loading), rejected calls, tabs in error and the longest tasks of open tabs, with their
 * limits.
 * `--count` changes the number of recordings; `--paths` prints what each tab called.
 */
export async function run(args: string[]): Promise<void> {
  const options = { count: { type: 'string' }, paths: { type: 'boolean', default: false } } as const
  const { values } = parseArgs({ args, options })
  const count = Number(values.count ?? defaultCount)
  const stack = await startStack()
  const browser = await launchBrowser()
  try {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
    await signInOnce(context, stack)
    const recordingId = await storeCalls(stack, count)
    await waitForLibrary(context, stack.url, count)
    const tabs = await openTabs(context, stack.url, recordingId)
    const longest = await changeAll(context, tabs, count)
    if (values.paths) printPaths(tabs)
    await printFigures(tabs, longest)
  } finally {
    await browser.close()
    await stack.stop()
  }
}

async function signInOnce(context: BrowserContext, stack: Stack): Promise<void> {
  const page = await context.newPage()
  await signIn(page, stack, async () => undefined)
  await page.close()
}

/** Stores short finished calls of the first admin, and one that is not changed later. Returns the id of that one. */
async function storeCalls({ dataDir, admin }: Stack, count: number): Promise<string> {
  const mongodbUri = (await readFile(join(dataDir, 'db/uri'), 'utf8')).trim()
  const database = await connectDatabase({ mongodbUri })
  try {
    const owner = await createUserRepository(database.connection).findByEmail(admin.email)
    if (!owner) throw new Error('There is no first admin')
    for (let seed = 1; seed <= count; seed += 1) {
      const recording = { name: `${changedName} ${seed}.mp3` }
      await storeLongCall(database, owner.id, { minutes: callMinutes, seed, recording })
    }
    return (await storeLongCall(database, owner.id, { minutes: openMinutes })).recordingId
  } finally {
    await database.close()
  }
}

/** Waits until the engine has derived the library, so that only the measured steps change it. */
async function waitForLibrary(context: BrowserContext, url: string, count: number): Promise<void> {
  const page = await context.newPage()
  const endMs = performance.now() + stepTimeoutMs
  for (;;) {
    await page.goto(`${url}${libraryPath}`)
    const rows = page.getByRole('grid', { name: 'Recordings' })
    await rows.waitFor()
    if ((await rows.getAttribute('aria-rowcount')) === String(count + 1)) break
    if (performance.now() > endMs) throw new Error('The library was not derived in time')
    await sleep(5_000)
  }
  await page.close()
}

async function openTabs(context: BrowserContext, url: string, recordingId: string): Promise<WatchedTab[]> {
  const addresses = {
    library: libraryPath,
    alerts: '/alerts?tab=lists',
    call: `/transcribe?recording=${recordingId}`,
  }
  const tabs: WatchedTab[] = []
  for (const [name, address] of Object.entries(addresses)) {
    const tab = await watchTab(await context.newPage(), name)
    tab.page.setDefaultTimeout(actionTimeoutMs)
    await tab.page.goto(`${url}${address}`)
    await tab.page.getByRole('heading', { level: 1 }).first().waitFor()
    tabs.push(tab)
  }
  return tabs
}

/** Changes everything, and opens the library once more. Returns the longest task of each tab in each step, in milliseconds. */
async function changeAll(context: BrowserContext, tabs: WatchedTab[], count: number): Promise<LongestTasks> {
  const [library, alerts] = tabs
  if (!library || !alerts) throw new Error('The tabs are not open')
  const steps = {
    tag: () => tagAll(library.page, count),
    scan: () => scanAll(alerts.page),
    'delete and undo': () => removeAndRestoreAll(library.page, count),
  }
  await addWatchList(alerts.page)
  await waitUntilQuiet(tabs)
  for (const { takeLongestTask } of tabs) await takeLongestTask()
  const longest: LongestTasks = {}
  for (const [step, change] of Object.entries(steps)) {
    await change()
    await waitUntilQuiet(tabs)
    for (const { name, takeLongestTask } of tabs) longest[`${step}, ${name}`] = await takeLongestTask()
  }
  const { origin } = new URL(library.page.url())
  const reopened = await watchTab(await context.newPage(), 'library opened afterwards')
  await reopened.page.goto(`${origin}${libraryPath}`)
  await reopened.page.getByRole('row').nth(5).waitFor()
  tabs.push(reopened)
  await waitUntilQuiet(tabs)
  return longest
}

const selectAll = async (page: Page) => {
  await page
    .getByRole('grid', { name: 'Recordings' })
    .getByRole('checkbox', { name: /Select all/ })
    .check()
}

async function tagAll(page: Page, count: number): Promise<void> {
  await selectAll(page)
  await page.getByRole('button', { name: 'Tags…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Tags' })
  await dialog.getByRole('combobox', { name: 'Add tags' }).fill('volume')
  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText(`Tags of ${count.toLocaleString('en')} recordings saved`).waitFor()
}

async function addWatchList(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'Watch lists' }).click()
  await page.getByRole('button', { name: 'Add a watch list' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Add a watch list' })
  await dialog.getByLabel('Name').fill('Volume')
  for (const category of await dialog.getByRole('checkbox').all()) await category.check()
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await dialog.waitFor({ state: 'hidden' })
}

async function scanAll(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'More for Volume' }).click()
  await page.getByRole('menuitem', { name: 'Scan my library now' }).click()
  await page.getByText(/^Library scanned/).waitFor({ timeout: stepTimeoutMs })
}

async function removeAndRestoreAll(page: Page, count: number): Promise<void> {
  await selectAll(page)
  await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText(`${count.toLocaleString('en')} recordings restored`).waitFor()
}

async function waitUntilQuiet(tabs: WatchedTab[]): Promise<void> {
  const lastMs = () => Math.max(...tabs.map(({ calls }) => calls.at(-1)?.atMs ?? 0))
  while (performance.now() - lastMs() < quietMs) await sleep(500)
}

function printPaths(tabs: WatchedTab[]): void {
  for (const { name, calls } of tabs) {
    const counts = Object.entries(Object.groupBy(calls, ({ path }) => path)).map(([path, all]) => [path, all?.length])
    console.log(name, Object.fromEntries(counts))
  }
}

async function printFigures(tabs: WatchedTab[], longest: LongestTasks): Promise<void> {
  const errors = await Promise.all(tabs.map(({ readError }) => readError()))
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)
  printLimits([
    ...tabs.map(({ name, calls }) => ({
      name: `${name}: calls in its busiest minute`,
      value: countBusiestMinute(calls),
      limit: maxCallsPerMinute,
      unit: '',
    })),
    { name: 'answers of 429', value: sum(tabs.map(({ limited }) => limited())), limit: 0, unit: '' },
    { name: 'tabs in error', value: errors.filter((error) => error !== undefined).length, limit: 0, unit: '' },
    ...Object.entries(longest).map(([name, value]) => ({
      name: `longest task, ${name}`,
      value,
      limit: maxTaskMs,
      unit: 'ms',
    })),
  ])
  for (const error of errors) if (error) console.log(error)
}
