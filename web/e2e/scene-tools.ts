import type { Page } from 'playwright-core'

/** A page state that requires an action, an error or a particular account state. */
export interface Scene {
  name: string
  path: string
  isPublic?: boolean
  /** Runs before the page is opened: sets up network responses, which the app may cache. */
  prepare?: (page: Page) => Promise<unknown>
  /** Like `prepare`, but for responses to actions: the app caches none of them. */
  prepareAction?: (page: Page) => Promise<unknown>
  /** Runs when the page has loaded; resolves when the scene is visible. */
  open?: (page: Page) => Promise<void>
}

/** Dialogs, menus and popovers of one page, opened one after another: loading the page costs more than opening them. */
export interface DialogGroup {
  /** `CASE` in it stands for the id of the case from dialog-data.ts. */
  path: string
  /** Sets up responses before the page is opened. */
  prepare?: (page: Page) => Promise<unknown>
  /** Runs when the page has loaded. */
  begin?: (page: Page) => Promise<unknown>
  /** Functions that open them, by name. */
  dialogs: Record<string, (page: Page) => Promise<unknown>>
  /** Runs after the last of them, while it is open. */
  end?: (page: Page) => Promise<unknown>
}

/** Returns a function that clicks the first button with this name. */
export const clickButton = (name: string | RegExp) => (page: Page) =>
  page.getByRole('button', { name, exact: true }).first().click()

/** Returns a function that opens the menu of a button and selects an item. */
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

/** Returns a function that clicks a button which opens a dialog or a menu. */
export function openByButton(name: string | RegExp) {
  return async (page: Page) => {
    await page.getByRole('button', { name }).first().click()
    await page.getByRole('dialog').or(page.getByRole('menu')).first().waitFor()
  }
}

/** Returns a function that makes all requests to matching addresses fail. */
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
