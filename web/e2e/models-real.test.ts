import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasExactInt8Here } from '#engine/models/cpu-features.ts'
import { launchBrowser } from '#testing/browser.ts'
import { lacks } from '#testing/needs.ts'
import { realDataDir, whisperCt2Dir } from '#testing/real-data.ts'
import { startStack, type Stack } from '#testing/stack.ts'
import { ModelsScreen } from './models-screen.ts'
import { signInAsFirstAdmin } from './sign-in.ts'

const recording = join(realDataDir, 'speech', 'fa-003.flac')

describe.skipIf(lacks('chromium', 'recordings', 'whisperCt2'))('a real Whisper in a browser', () => {
  let folder: string
  let stack: Stack
  let browser: Browser
  let page: Page

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'awaz-models-'))
    stack = await startStack({ MODELS_DIR: join(folder, 'models') })
    browser = await launchBrowser()
    page = await browser.newPage()
    page.setDefaultTimeout(30_000)
    await signInAsFirstAdmin(page, stack)
  }, 240_000)

  afterAll(async () => {
    await browser?.close()
    await stack?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  it('is uploaded as a CTranslate2 folder, converted, and transcribes Persian', async () => {
    const screen = new ModelsScreen(page, stack.url)
    await screen.open()
    await page.getByLabel('Folder of a model').setInputFiles(whisperCt2Dir)
    await screen.fillImport({ name: 'Whisper base' })
    await page.getByRole('button', { name: 'Upload and import' }).click()
    await screen.waitForEnd('Import of whisper-base-ct2', 'Done')
    await screen.uses('Whisper base').getByText('All other languages').waitFor()
    const fastForm = screen
      .card('Whisper base')
      .getByText(/^Where it is chosen, Whisper base, ONNX runs: 0\.\d+ instead of/)
    if (await hasExactInt8Here()) await fastForm.waitFor()
    await screen.useFor('Whisper base', 'Persian')
    await screen.uses('Whisper base').getByText('Persian').waitFor()

    await page.goto(`${stack.url}/upload`)
    await page.locator('input[type=file]').setInputFiles(recording)
    await page.getByRole('heading', { level: 1, name: 'fa-003.flac' }).waitFor()
    await page.getByRole('combobox', { name: 'Transcription Language' }).click()
    await page.getByRole('option', { name: 'Persian' }).click()
    await page.getByRole('button', { name: /^Start .*Transcription$/ }).click()
    await page.getByText(/Transcription saved: [0-9a-f]{8}/).waitFor({ timeout: 150_000 })
    // What is said in the recording: سلام متشکرم خداحافظ. The smallest weights stretch the first word.
    const line = page.locator('[lang=fa][dir=rtl]').first()
    await line.waitFor()
    expect(await line.innerText()).toMatch(/سا?لام/)
  })
})
