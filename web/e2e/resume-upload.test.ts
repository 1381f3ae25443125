import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page, Request } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lacks } from '#testing/needs.ts'
import { noiseFile, sha256 } from '#testing/noise-file.ts'
import { listAxeViolations } from './axe.ts'
import { leaveBrowser, shareBrowser } from './shared-browser.ts'
import { shareStack, signedIn, type SharedStack } from './shared-stack.ts'

const mebibyte = 1024 ** 2
const bytesPerSecond = 16 * mebibyte

describe.skipIf(lacks('chromium'))('a large upload in a browser', () => {
  let stack: SharedStack
  let browser: Browser
  let context: BrowserContext
  let page: Page
  let folder: string
  let path: string
  const content = noiseFile(60 * mebibyte)
  const parts: Request[] = []

  beforeAll(async () => {
    stack = await shareStack({ mustChangePassword: false })
    browser = await shareBrowser()
    context = await browser.newContext({
      viewport: { width: 1280, height: 900 },
      reducedMotion: 'reduce',
      ...(await signedIn(stack)),
      bypassCSP: true,
    })
    page = await context.newPage()
    page.setDefaultTimeout(30_000)
    page.on('dialog', (dialog) => void dialog.accept()) // whether the page may be left
    page.on('request', (request) => void (request.method() === 'PATCH' && parts.push(request)))
    folder = await mkdtemp(join(tmpdir(), 'awaz-long-'))
    path = join(folder, 'long.wav')
    await writeFile(path, content)
  }, 180_000)
  afterAll(async () => {
    await leaveBrowser(browser)
    await rm(folder, { recursive: true, force: true })
  })

  it(
    'pauses without a network, goes on by itself, and after a reload when the file is chosen again',
    { timeout: 120_000 },
    async () => {
      const network = await context.newCDPSession(page)
      const setNetwork = (offline: boolean) =>
        network.send('Network.emulateNetworkConditions', {
          offline,
          latency: 0,
          downloadThroughput: -1,
          uploadThroughput: bytesPerSecond,
        })
      await setNetwork(false)
      await page.goto(`${stack.url}/upload`)
      await page.getByLabel('Recordings to upload').setInputFiles(path)
      await page.getByText(/^[1-9]\d?% · /).waitFor()
      await setNetwork(true)
      await page.getByText(/^The connection is interrupted at \d+%\. The upload goes on by itself\.$/).waitFor()
      await setNetwork(false)
      await page.getByText(/^(5[4-9]|[6-9]\d)% · /).waitFor() // beyond the first part
      await page.reload()
      await page.getByRole('heading', { name: '1 upload was not finished' }).waitFor()
      await page.getByText(/^\d+% arrived\. Kept until /).waitFor()
      expect(await listAxeViolations(page)).toEqual([])
      const before = parts.length
      const chooser = page.waitForEvent('filechooser')
      await page.getByRole('button', { name: 'Choose long.wav' }).click()
      await (await chooser).setFiles(path)
      await page.getByRole('heading', { level: 1, name: 'long.wav' }).waitFor()
      const offset = Number(await parts[before]?.headerValue('Upload-Offset'))
      expect(offset).toBeGreaterThanOrEqual(32 * mebibyte)
      const id = new URL(page.url()).searchParams.get('recording') ?? ''
      expect(await playedHash(id)).toBe(sha256(content))
    },
  )

  it('leaves nothing on the server when it is cancelled', async () => {
    await page.goto(`${stack.url}/upload`)
    await page.getByLabel('Recordings to upload').setInputFiles(path)
    await page.getByText(/^[1-9]\d?% · /).waitFor()
    const discarded = page.waitForResponse((response) => response.request().method() === 'DELETE')
    await page.getByRole('button', { name: 'Remove long.wav' }).click()
    expect((await discarded).status()).toBe(204)
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Upload' }).waitFor()
    expect(await listUnfinished()).toEqual({ uploads: [] })
    expect(await page.getByText(/not finished/).count()).toBe(0)
  })

  const readToken = () => page.evaluate(() => localStorage.getItem('access_token'))

  async function get(path: string): Promise<Response> {
    return fetch(`${stack.url}${path}`, { headers: { Authorization: `Bearer ${await readToken()}` } })
  }

  const listUnfinished = async (): Promise<unknown> => (await get('/api/uploads')).json()
  const playedHash = async (id: string) => sha256(new Uint8Array(await (await get(`/api/audio/${id}`)).arrayBuffer()))
})
