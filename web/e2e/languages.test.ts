import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lacks } from '#testing/needs.ts'
import { pageList } from '../src/app/page-list.ts'
import { navigate } from './navigate.ts'
import { sample } from './shared-call.ts'
import { listShownTexts } from './shown-texts.ts'
import { leaveBrowser, shareBrowser } from './shared-browser.ts'
import { giveCall, shareStack, signedIn, type SharedStack } from './shared-stack.ts'

const paths = ['/login', '/register', '/support', ...pagesOf('user'), ...pagesOf('admin'), ...pagesOf('super_admin')]

function pagesOf(access: string): string[] {
  return Object.values(pageList)
    .filter((page) => page.access === access)
    .map(({ path }) => path)
}

/**
 * Text that is the same in every language: names of people, products, models, licences and settings, addresses, user agents, figures of
 * a source.
 */
const sameInEveryLanguage =
  /^(Awaz|[A-Z]+_[A-Z_]+$|Node\.js$|ffmpeg$|onnxruntime$|sherpa-onnx$|whisper\.cpp$|llama\.cpp$|person-|admin$|\S+@\S+$|English$|Playwright|node|https?:|\/tmp\/|sample-call|CSV$|ZIP$|JSON$|Whisper|Omnilingual|Dolphin|Qwen|SenseVoice|Gemma|TranslateGemma|FunASR|Apache|Creative|CC|MIT|its own licence|[\d.]+% \()/

describe.skipIf(lacks('chromium'))('the interface in Persian', () => {
  let stack: SharedStack
  let browser: Browser
  let texts: Record<string, string>
  let page: Page
  let anonymous: Page
  let recordingId: string

  beforeAll(async () => {
    stack = await shareStack({ mustChangePassword: false })
    browser = await shareBrowser()
    recordingId = await giveCall(stack, { isTranslated: true })
    const file = join(import.meta.dirname, '../../server/contract/texts/fa.json')
    texts = JSON.parse(await readFile(file, 'utf8')) as Record<string, string>
    page = await openContext(await signedIn(stack))
    anonymous = await openContext()
  }, 240_000)

  afterAll(async () => {
    await leaveBrowser(browser)
  })

  async function openContext(options = {}): Promise<Page> {
    const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
    await context.addCookies([{ name: 'awaz_language', value: 'fa', url: stack.url }])
    const opened = await context.newPage()
    opened.setDefaultTimeout(20_000)
    return opened
  }

  /** Returns the Persian translation of an English text. */
  function say(english: string): string {
    const text = texts[english]
    if (text === undefined) throw new Error(`No text for ${english}`)
    return text
  }

  /** The administration pages also show names that other tests chose, and mails in the language of their readers. */
  function isUntranslated(path: string, text: string): boolean {
    if (path === '/super-admin/outbox') return false
    if (/^\/(super-)?admin/.test(path)) return text in texts && texts[text] !== text
    // A text with Arabic letters is translated, whatever names it contains.
    return !/[\u0600-\u06ff]/.test(text) && !sameInEveryLanguage.test(text)
  }

  it.each(paths)('%s has no English left, and is never too wide', async (path) => {
    const isPublic = ['/login', '/register', '/support'].includes(path)
    const at = isPublic ? anonymous : page
    const address = `${path}${path === '/transcribe' ? `?recording=${recordingId}` : ''}`
    if (at.url().startsWith(stack.url)) await navigate(at, address, { say })
    else await at.goto(`${stack.url}${address}`)
    await at.getByRole('heading').first().waitFor()
    // A status with text says that something is loading; an empty one stays for later announcements.
    await at.getByRole('status').filter({ hasText: /\S/ }).first().waitFor({ state: 'detached' })
    expect(await at.locator('html').getAttribute('dir')).toBe('rtl')
    const english = await listShownTexts(at)
    expect(english.filter((text) => isUntranslated(path, text))).toEqual([])
    for (const width of [360, 1366]) {
      await at.setViewportSize({ width, height: 800 })
      const overflow = await at.evaluate('document.documentElement.scrollWidth - window.innerWidth')
      expect({ width, overflow }).toEqual({ width, overflow: 0 })
    }
  })

  it('is chosen at the foot of the sign-in page, and left again under Settings', async () => {
    const context = await browser.newContext()
    const reader = await context.newPage()
    await reader.goto(`${stack.url}/login`)
    await reader.getByRole('combobox', { name: 'Language of the interface' }).selectOption('fa')
    await reader.getByRole('heading', { name: say('Welcome Back') }).waitFor()
    await reader.getByLabel(say('Email')).fill(stack.admin.email)
    await reader.getByLabel(say('Password'), { exact: true }).fill(stack.admin.password)
    await reader.getByRole('button', { name: say('Sign In'), exact: true }).click()
    await reader.getByRole('heading', { name: say('Library') }).waitFor()
    await reader.goto(`${stack.url}/settings/preferences`)
    await reader.getByRole('combobox', { name: say('Language') }).click()
    await reader.getByRole('option', { name: 'English' }).click()
    await reader.getByRole('heading', { name: 'Settings' }).waitFor()
    expect(await reader.locator('html').getAttribute('dir')).toBe('ltr')
    await context.close()
  })

  it('says in Persian what the server refuses', async () => {
    await anonymous.goto(`${stack.url}/login`)
    await anonymous.getByLabel(say('Email')).fill('nobody@example.org')
    await anonymous.getByLabel(say('Password'), { exact: true }).fill('wrong-password')
    await anonymous.getByRole('button', { name: say('Sign In'), exact: true }).click()
    await anonymous.getByText(say('Invalid email or password')).first().waitFor()
  })

  it('uploads a file, opens its desk, and finds a word of another call', async () => {
    await page.setViewportSize({ width: 1366, height: 768 })
    await page.goto(`${stack.url}/upload`)
    await page.locator('input[type=file]').first().setInputFiles(sample)
    await page
      .getByText(say('Uploaded.'))
      .or(page.getByRole('heading', { level: 1, name: 'sample-call.mp3' }))
      .first()
      .waitFor()
    await page.goto(`${stack.url}/search?q=meeting`)
    await page
      .getByRole('link', { name: /meeting/ })
      .first()
      .click()
    await page.getByRole('heading', { level: 1, name: 'sample-call.mp3' }).waitFor()
    await page
      .getByRole('list', { name: say('Transcript Timeline') })
      .getByText('meeting')
      .first()
      .waitFor()
  })

  it('makes a case and names it', async () => {
    await page.goto(`${stack.url}/cases`)
    await page
      .getByRole('button', { name: say('New case') })
      .first()
      .click()
    await page
      .getByRole('dialog')
      .getByRole('textbox', { name: say('Name') })
      .fill('پروندهٔ آزمایشی')
    await page
      .getByRole('dialog')
      .getByRole('button', { name: say('Create') })
      .click()
    await page.getByRole('heading', { name: 'پروندهٔ آزمایشی' }).waitFor()
  })
})
