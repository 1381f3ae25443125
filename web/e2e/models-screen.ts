import type { Locator, Page } from 'playwright-core'

interface ImportFields {
  name?: string
  languages?: string[]
  licence?: string
}

/** Page object of System → Models. */
export class ModelsScreen {
  private readonly page: Page
  private readonly url: string

  constructor(page: Page, url: string) {
    this.page = page
    this.url = url
  }

  /** Opens the page and waits until an engine has published its models. */
  async open(): Promise<void> {
    await this.page.goto(`${this.url}/admin/system/models`)
    await this.page.getByRole('heading', { name: 'Transcription' }).waitFor({ timeout: 60_000 })
    await this.page.getByRole('heading', { name: 'Import folder' }).waitFor()
  }

  /** Locates an installed model. */
  card(name: string): Locator {
    return this.page.getByRole('listitem', { name, exact: true })
  }

  /** Locates the list of what an installed model is used for. */
  uses(name: string): Locator {
    return this.page.getByRole('list', { name: `What ${name} serves` })
  }

  async fillImport({ name, languages = [], licence }: ImportFields): Promise<void> {
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

  /** Waits until the newest operation with this name has ended in the given state. */
  async waitForEnd(operation: string, state: 'Done' | 'Failed'): Promise<void> {
    const row = this.page
      .getByRole('region', { name: 'Operations' })
      .getByRole('listitem')
      .filter({ hasText: operation })
      .first()
    await row.getByText(state, { exact: true }).waitFor({ timeout: 240_000 })
  }
}
