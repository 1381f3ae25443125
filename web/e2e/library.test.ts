import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lacks } from '#testing/needs.ts'
import { isEndurance } from '#testing/rounds.ts'
import { createPerson, type Person } from '../../scripts/chaos/person.ts'
import { makeMixedCalls } from './mixed-calls.ts'
import { translate } from './reader-language.ts'
import { leaveBrowser, shareBrowser } from './shared-browser.ts'
import { shareStack, signedIn, type SharedStack } from './shared-stack.ts'
import { addUser, type KnownUser } from './stack-users.ts'

/** A user of the product, with a session for API calls. */
type User = KnownUser & Person

const fileCount = isEndurance ? 30 : 10
/** One file in five has a Pashto name; the others are named "call 01.mp3" and so on. */
const pashtoCount = fileCount / 5
const callCount = fileCount - pashtoCount
/** How long uploading and probing 30 short calls may take on two busy cores. */
const uploadTimeoutMs = 240_000
/** How long transcribing and translating them may take on two busy cores. */
const batchTimeoutMs = 480_000

// One story in the order of a working day; each part builds on the previous ones.
describe.skipIf(lacks('chromium', 'ffmpeg'))('the library in a browser', { tags: ['rounds'] }, () => {
  let stack: SharedStack
  let browser: Browser
  let page: Page
  let folder: string
  let analyst: User
  let colleague: User
  let outsider: User

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'awaz-calls-'))
    stack = await shareStack({ mustChangePassword: false })
    analyst = await addPerson()
    colleague = await addPerson()
    outsider = await addPerson()
    browser = await shareBrowser()
    page = await openPage(analyst)
  }, 180_000)

  afterAll(async () => {
    await leaveBrowser(browser)
    await rm(folder, { recursive: true, force: true })
  })

  async function addPerson(): Promise<User> {
    const user = await addUser(stack, { role: 'user', mustChangePassword: false })
    const person = createPerson({ ...user, url: stack.url, number: 0 })
    await person.signIn()
    return { ...user, ...person }
  }

  /** Opens a page in a browser in which the user is signed in. */
  async function openPage(user: User): Promise<Page> {
    const view = { viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' } as const
    const own = await (await browser.newContext({ ...view, ...(await signedIn(stack, user)) })).newPage()
    own.setDefaultTimeout(20_000)
    await own.goto(stack.url)
    await own.getByRole('heading', { name: 'Transcribe & Translate' }).waitFor()
    return own
  }

  const grid = () => page.getByRole('grid', { name: 'Recordings' })
  const rows = () => grid().locator('[data-index]')
  const goTo = (name: string) => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name }).click()

  it('watches for threats, and takes mixed files that are dropped', async () => {
    await goTo('Alerts')
    await page.getByRole('tab', { name: 'Watch lists' }).click()
    await page.getByRole('button', { name: 'Add a watch list' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Add a watch list' })
    await dialog.getByLabel('Name').fill('Threats')
    await dialog.getByRole('checkbox', { name: /Threats/ }).check()
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await dialog.waitFor({ state: 'hidden' })

    await goTo('Library')
    await dropFiles(page, await makeMixedCalls(folder, fileCount))
    await waitForCount(page, analyst, fileCount)
    await goTo('Library')
    await expect.poll(() => grid().getAttribute('aria-rowcount'), { timeout: 20_000 }).toBe(String(fileCount + 1))
  }, 300_000)

  it('filters by name, selects all of the filter and has it transcribed and translated, by mouse', async () => {
    await page.getByRole('searchbox', { name: 'Search recordings' }).fill('call')
    await expect.poll(() => grid().getAttribute('aria-rowcount')).toBe(String(callCount + 1))
    await grid()
      .getByRole('checkbox', { name: /Select all/ })
      .check()
    await page.getByRole('region', { name: 'Selection' }).getByText(String(callCount)).waitFor()
    await page.getByRole('button', { name: 'Transcribe…' }).click()
    const dialog = page.getByRole('dialog', { name: `Transcribe ${callCount} recordings` })
    await dialog.getByRole('combobox', { name: 'Then translate to' }).click()
    await page.getByRole('option', { name: 'English' }).click()
    await page.keyboard.press('Escape')
    await dialog.getByRole('button', { name: 'Start' }).click()
    await page.getByRole('list', { name: 'Batches' }).getByRole('listitem').first().waitFor()
  })

  it('does the same with the others by keyboard alone, while the first batch runs', async () => {
    await pressUntilFocused(page, page.getByRole('searchbox', { name: 'Search recordings' }))
    await page.keyboard.press('Control+A')
    await page.keyboard.type('زنګ')
    await expect.poll(() => grid().getAttribute('aria-rowcount')).toBe(String(pashtoCount + 1))
    await pressUntilFocused(page, rows().first())
    await page.keyboard.press('Control+A')
    await page.getByRole('region', { name: 'Selection' }).getByText(String(pashtoCount)).waitFor()
    await pressUntilFocused(page, page.getByRole('button', { name: 'Transcribe…' }), { isBackwards: true })
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: `Transcribe ${pashtoCount} recordings` })
    await dialog.waitFor()
    await pressUntilFocused(page, dialog.getByRole('combobox', { name: 'Then translate to' }))
    await page.keyboard.type(translate('English').slice(0, 4))
    await page.getByRole('option', { name: 'English' }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await pressUntilFocused(page, dialog.getByRole('button', { name: 'Start' }))
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'hidden' })
    // The bars of batches that ended without a failure disappear by themselves.
    await page.getByRole('list', { name: 'Batches' }).waitFor({ state: 'hidden', timeout: batchTimeoutMs })
    await pressUntilFocused(page, page.getByRole('searchbox', { name: 'Search recordings' }))
    await page.keyboard.press('Control+A')
    await page.keyboard.press('Delete')
    await expect.poll(() => grid().getAttribute('aria-rowcount')).toBe(String(fileCount + 1))
    await page.getByRole('search').getByRole('button', { name: 'State' }).press('Enter')
    await page.getByRole('menuitemcheckbox', { name: /^Transcribed/ }).press('Enter')
    await expect.poll(() => grid().getAttribute('aria-rowcount')).toBe(String(fileCount + 1))
    await page.keyboard.press('Escape')
  }, 540_000)

  it('finds a misspelt Pashto word and opens the call at the line, by mouse and by keyboard', async () => {
    await goTo('Search')
    await page.getByRole('searchbox', { name: 'Search all calls' }).fill('پيسي')
    const results = page.getByLabel('Results')
    await results.getByText('پیسې').first().click()
    await expectLine(page, 'پیسې')
    await page.goBack()
    await results.getByText('پیسې').first().waitFor()
    await page.keyboard.press('/')
    await page.keyboard.press('Control+A')
    await page.keyboard.type('وسلة')
    await results.getByText('وسله').first().waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expectLine(page, 'وسله')
  })

  it('reviews an alert by mouse and one by keyboard', async () => {
    await goTo('Alerts')
    const reviewed = page.getByRole('button', { name: 'Reviewed (R)' })
    await reviewed.first().waitFor()
    const before = await unreadAlerts(analyst)
    expect(before).toBeGreaterThan(2)
    await reviewed.first().click()
    await expect.poll(() => unreadAlerts(analyst)).toBe(before - 1)
    await pressUntilFocused(page, page.locator('[data-alert]').first())
    await page.keyboard.press('j')
    await page.keyboard.press('r')
    await expect.poll(() => unreadAlerts(analyst)).toBe(before - 2)
    await page.keyboard.press('Enter')
    await page.getByRole('list', { name: 'Transcript Timeline' }).waitFor()
  })

  it('shares a case with a second user, who reads it, and not with a third', async () => {
    await goTo('Library')
    await pressUntilFocused(page, rows().first())
    await page.keyboard.press('Space')
    await page.keyboard.press('Shift+ArrowDown')
    await page.getByRole('region', { name: 'Selection' }).getByText(/2/).waitFor()
    await pressUntilFocused(page, page.getByRole('button', { name: 'Add to case…' }), { isBackwards: true })
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'Search cases, or name a new one' }).waitFor()
    await page.keyboard.type('Harbour')
    await pressUntilFocused(page, page.getByRole('button', { name: 'Create “Harbour” and add' }))
    await page.keyboard.press('Enter')
    await page.getByText('2 recordings added to Harbour').waitFor()

    await goTo('Cases')
    await page.getByRole('link', { name: 'Harbour' }).click()
    const members = page.getByRole('form', { name: 'Add a member' })
    await members.getByLabel('Add a member').fill(colleague.email)
    await members.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText(`${colleague.email} is a member now`).waitFor()
    await page.getByRole('list', { name: 'Recordings' }).getByRole('link').first().click()
    await page.getByRole('list', { name: 'Transcript Timeline' }).waitFor()
    const address = page.url()

    await withUser(colleague, async (own) => {
      await own.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Cases' }).click()
      await own.getByRole('link', { name: 'Harbour' }).click()
      await own.getByRole('list', { name: 'Recordings' }).getByRole('link').first().click()
      await own.getByRole('list', { name: 'Transcript Timeline' }).waitFor()
      expect(await own.getByRole('button', { name: 'Retranscribe', disabled: false }).count()).toBe(0)
    })
    await withUser(outsider, async (own) => {
      await own.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Cases' }).click()
      await own.getByText('No cases yet').waitFor()
      await own.goto(address)
      await own.getByText('It was deleted, or it belongs to somebody else.').first().waitFor()
      expect(await own.getByRole('list', { name: 'Transcript Timeline' }).count()).toBe(0)
    })
    const recordingId = new URL(address).searchParams.get('recording') ?? ''
    expect((await colleague.call('GET', `/api/recordings/${recordingId}`)).status).toBe(200)
    expect((await outsider.call('GET', `/api/recordings/${recordingId}`)).status).toBe(404)
  })

  /** Runs `work` in another user's browser. */
  async function withUser(user: User, work: (page: Page) => Promise<void>) {
    const own = await openPage(user)
    await work(own)
    await own.context().close()
  }
})

/** Drops files onto the page, as if dragged from a folder. */
async function dropFiles(page: Page, paths: string[]): Promise<void> {
  const files = await Promise.all(
    paths.map(async (path) => ({ name: basename(path), content: (await readFile(path)).toString('base64') })),
  )
  const dataTransfer = await page.evaluateHandle((dropped) => {
    const transfer = new DataTransfer()
    for (const { name, content } of dropped) {
      transfer.items.add(new File([Uint8Array.from(atob(content), (unit) => unit.charCodeAt(0))], name))
    }
    return transfer
  }, files)
  for (const type of ['dragenter', 'dragover', 'drop']) await page.dispatchEvent('body', type, { dataTransfer })
}

async function waitForCount(page: Page, person: Person, count: number): Promise<void> {
  async function read() {
    const { body } = await person.call('GET', '/api/stats')
    return (body as { totalFiles: number }).totalFiles
  }
  await expect.poll(read, { timeout: uploadTimeoutMs, interval: 500 }).toBe(count)
}

async function unreadAlerts(person: Person): Promise<number> {
  const { body } = await person.call('GET', '/api/alerts/count')
  return Object.values(body as Record<string, number>)[0] ?? 0
}

/** Expects the desk to show a line with this word, and the address to have a time. */
async function expectLine(page: Page, word: string): Promise<void> {
  const timeline = page.getByRole('list', { name: 'Transcript Timeline' })
  await timeline.waitFor()
  const line = timeline.getByRole('listitem').filter({ hasText: word }).first()
  await line.waitFor()
  await expect.poll(() => new URL(page.url()).searchParams.get('t')).not.toBeNull()
}

/** Presses Tab until an element has the focus, as somebody without a mouse does. */
async function pressUntilFocused(page: Page, target: Locator, { isBackwards = false } = {}): Promise<void> {
  for (let presses = 0; presses < 80; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press(isBackwards ? 'Shift+Tab' : 'Tab')
  }
  throw new Error('The element is not reached by the Tab key')
}
