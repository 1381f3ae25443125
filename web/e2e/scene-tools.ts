import type { Page } from 'playwright-core'

/** A state of a page that needs an action, an error or a state of the account. */
export interface Scene {
  name: string
  path: string
  isPublic?: boolean
  /** Runs before the page is opened: sets up responses of the network, which the app may keep. */
  prepare?: (page: Page) => Promise<unknown>
  /** As prepare, for responses to actions: the app keeps none of them. */
  prepareAction?: (page: Page) => Promise<unknown>
  /** Runs when the page is loaded, until the scene is visible. */
  open?: (page: Page) => Promise<void>
}

/** Waits until a dialog is open. */
export const waitForDialog = (page: Page) => page.getByRole('dialog').waitFor()

/** Presses a button that opens a dialog or a menu. */
export function openByButton(name: string | RegExp) {
  return async (page: Page) => {
    await page.getByRole('button', { name }).first().click()
    await page.getByRole('dialog').or(page.getByRole('menu')).first().waitFor()
  }
}

/** Opens the menu of a row and, where one is named, selects an item that opens a dialog. */
export function openRowMenu(row: RegExp, item?: string) {
  return async (page: Page) => {
    await page.getByRole('button', { name: row }).first().click()
    await page.getByRole('menu').waitFor()
    if (!item) return
    await page.getByRole('menuitem', { name: item }).click()
    await page.getByRole('menu').waitFor({ state: 'detached' })
    await waitForDialog(page)
  }
}

/** Makes the server fail wherever an address matches. */
export function failRequests(pattern: string) {
  return (page: Page) =>
    page.route(pattern, (route) =>
      route.fulfill({
        status: 500,
        json: {
          error: 'Something went wrong on the server. Please try again later.',
          code: 'internal',
          request_id: 'x',
        },
      }),
    )
}

/** Waits until an error is shown in place of a list. */
export const waitForError = (page: Page) => page.getByRole('heading', { name: 'Error' }).waitFor()
