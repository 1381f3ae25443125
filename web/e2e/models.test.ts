import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lacks } from '#testing/needs.ts'
import { listAxeViolations } from './axe.ts'
import { ModelsScreen } from './models-screen.ts'
import { signInAsFirstAdmin } from './sign-in.ts'
import { leaveBrowser, shareBrowser } from './shared-browser.ts'
import { shareStack, type SharedStack } from './shared-stack.ts'

const demoModel = join(dirname(dirname(import.meta.dirname)), 'models/demo/demo-speech-q8_0.bin')
const demoName = 'Awaz demo speech model'

describe.skipIf(lacks('chromium'))('models in a browser', () => {
  let folder: string
  let stack: SharedStack
  let browser: Browser
  let page: Page
  let screen: ModelsScreen

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'awaz-models-'))
    stack = await shareStack({ kind: 'guarded' })
    browser = await shareBrowser()
    page = await (await browser.newContext({ reducedMotion: 'reduce', bypassCSP: true })).newPage()
    page.setDefaultTimeout(20_000)
    await signInAsFirstAdmin(page, stack)
    screen = new ModelsScreen(page, stack.url)
    await screen.open()
  }, 240_000)

  afterAll(async () => {
    await leaveBrowser(browser)
    await rm(folder, { recursive: true, force: true })
  })

  it('imports an uploaded model with the facts that its file does not contain, and uses it for its languages', async () => {
    const file = join(folder, 'field model.bin')
    await copyFile(demoModel, file)
    await page.getByLabel('Files of a model').setInputFiles(file)
    await screen.fillImport({ name: 'Field model', languages: ['English', 'Pashto'], licence: 'MIT' })
    await page.getByRole('button', { name: 'Upload and import' }).click()
    await screen.waitForEnd('Import of field-model', 'Done')
    const card = screen.card('Field model')
    await card.waitFor()
    await screen.uses('Field model').getByText('English').waitFor()
    await screen.uses('Field model').getByText('Pashto').waitFor()
    // The upload is deleted after its import.
    await page.getByText('It is empty.').waitFor()
  })

  it('disables downloads while the installation is offline', async () => {
    const download = page.getByRole('button', { name: /^Download / }).first()
    expect(await download.isDisabled()).toBe(true)
    expect(await page.getByText(/offline/).count()).toBeGreaterThan(0)
  })

  it('tries the model and marks it as working', async () => {
    await screen.card('Field model').getByRole('button', { name: 'Try Field model' }).click()
    await screen.waitForEnd('Trial of Field model', 'Done')
    await screen.card('Field model').getByText('Works').waitFor()
  })

  it('uses another model for one language, and shows what each serves', async () => {
    await screen.useFor(demoName, 'Pashto')
    await screen.waitForEnd(`${demoName} for Pashto`, 'Done')
    await screen.uses('Field model').getByText('Pashto').waitFor({ state: 'detached' })
    await screen.uses('Field model').getByText('English').waitFor()
    const languages = await page.evaluate<{ features: { transcription: string[] } }>(
      `fetch('/api/languages').then((response) => response.json())`,
    )
    expect(languages.features.transcription).toContain('en')
    expect(await listAxeViolations(page)).toEqual([])
  })

  it('refuses to remove a model in use', async () => {
    await screen.card('Field model').getByRole('button', { name: 'Remove Field model' }).click()
    const dialog = page.getByRole('dialog', { name: 'Remove Field model?' })
    await dialog.getByText(/serves English\. Choose another model for that first\./).waitFor()
    expect(await dialog.getByRole('button', { name: 'Remove', exact: true }).isDisabled()).toBe(true)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })
  })

  it('removes the model once another one serves the language', async () => {
    await screen.useFor(demoName, 'English')
    await screen.uses('Field model').waitFor({ state: 'detached' })
    await screen.card('Field model').getByRole('button', { name: 'Remove Field model' }).click()
    const dialog = page.getByRole('dialog', { name: 'Remove Field model?' })
    await dialog.getByRole('button', { name: 'Remove', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    await screen.card('Field model').waitFor({ state: 'detached' })
  })

  it('shows why a file that is no model cannot be imported', async () => {
    await page.getByLabel('Files of a model').setInputFiles({
      name: 'notes.bin',
      mimeType: 'application/octet-stream',
      buffer: Buffer.from('These are notes of a meeting, not the weights of a model.'),
    })
    await screen.fillImport({})
    await page.getByRole('button', { name: 'Upload and import' }).click()
    await screen.waitForEnd('Import of notes', 'Failed')
    await page.getByRole('button', { name: 'Delete notes' }).click()
    await page.getByText('It is empty.').waitFor()
  })
})
