import type { Locator, Page } from 'playwright-core'

interface ImportFacts {
  name?: string
  languages?: string[]
  licence?: string
}

/** The page System → Models, as a person works with it. */
export class ModelsScreen {
  private readonly page: Page
  private readonly url: string

  constructor(page: Page, url: string) {
    this.page = page
    this.url = url
  }

  /** Opens the page and waits until an engine has said what there is. */
  async open(): Promise<void> {
    await this.page.goto(`${this.url}/admin/system/models`)
    await this.page.getByRole('heading', { name: 'Transcription' }).waitFor({ timeout: 60_000 })
    await this.page.getByRole('heading', { name: 'Import folder' }).waitFor()
  }

  /** An installed model. */
  card(name: string): Locator {
    return this.page.getByRole('listitem', { name, exact: true })
  }

  /** What an installed model serves. */
  uses(name: string): Locator {
    return this.page.getByRole('list', { name: `What ${name} serves` })
  }

  async fillImport({ name, languages = [], licence }: ImportFacts): Promise<void> {
    const dialog = this.page.getByRole('dialog', { name: 'Add a model' })
    if (name) await dialog.getByLabel('Name', { exact: true }).fill(name)
    for (const language of languages) {
      await dialog.getByRole('combobox', { name: 'Languages' }).fill(language)
      await this.page.getByRole('option', { name: language, exact: true }).click()
    }
    if (languages.length > 0) await this.page.keyboard.press('Tab')
    if (licence) await dialog.getByLabel('Licence').fill(licence)
  }

  /** Chooses a speech model for one language. */
  async useFor(name: string, language: string): Promise<void> {
    await this.card(name)
      .getByRole('button', { name: `Use ${name}`, exact: true })
      .click()
    const dialog = this.page.getByRole('dialog', { name: `Use ${name}` })
    await dialog.getByRole('combobox', { name: 'Language' }).click()
    await this.page.getByRole('option', { name: language, exact: true }).click()
    await dialog.getByRole('button', { name: 'Use it' }).click()
    await dialog.waitFor({ state: 'detached' })
  }

  /** Waits until an operation stands in the list as ended in this way; the newest of its name stands first. */
  async waitForEnd(operation: string, state: 'Done' | 'Failed'): Promise<void> {
    const row = this.page
      .getByRole('region', { name: 'Operations' })
      .getByRole('listitem')
      .filter({ hasText: operation })
      .first()
    await row.getByText(state, { exact: true }).waitFor({ timeout: 120_000 })
  }
}
