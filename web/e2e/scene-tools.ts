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

/** Dialogs, menus and popovers of one page, which are opened one after the other: a page costs more than what opens in it. */
export interface DialogGroup {
  /** `CASE` in it is the id of the case of dialog-data.ts. */
  path: string
  /** Sets up responses before the page is opened. */
  prepare?: (page: Page) => Promise<unknown>
  /** Runs when the page is loaded. */
  begin?: (page: Page) => Promise<unknown>
  /** Opens each, by its name. */
  dialogs: Record<string, (page: Page) => Promise<unknown>>
  /** Runs after the last of them, while it is open. */
  end?: (page: Page) => Promise<unknown>
}

/** Presses the first button of a name. */
export const clickButton = (name: string | RegExp) => (page: Page) =>
  page.getByRole('button', { name, exact: true }).first().click()

/** Opens the menu of a button and selects an item of it. */
export function clickMenuItem(button: string | RegExp, item: string) {
  return async (page: Page) => {
    await clickButton(button)(page)
    await page.getByRole('menuitem', { name: item }).click()
  }
}

/** Label of the button that opens the menu of the demo call. */
export const recordingActionsLabel = /^Actions for sample-call/

/** Waits until a dialog is open. */
export const waitForDialog = (page: Page) => page.getByRole('dialog').waitFor()

/** Presses a button that opens a dialog or a menu. */
export function openByButton(name: string | RegExp) {
  return async (page: Page) => {
    await page.getByRole('button', { name }).first().click()
    await page.getByRole('dialog').or(page.getByRole('menu')).first().waitFor()
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
