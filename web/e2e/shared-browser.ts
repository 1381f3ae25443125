import type { Browser } from 'playwright-core'
import { launchBrowser } from '#testing/browser.ts'
import { openInLanguage } from './reader-language.ts'

/** Pages are closed before optimizing their code has paid off: without it, a page costs a seventh less processor time. */
const args = ['--js-flags=--no-maglev --no-turbofan']

let running: Promise<Browser> | undefined

/** Returns the browser of this process, in which files run one after another; it ends with the process. */
export async function shareBrowser(): Promise<Browser> {
  const browser = await running
  if (browser?.isConnected()) return browser
  running = launch()
  return running
}

async function launch(): Promise<Browser> {
  const browser = await launchBrowser(args)
  openInLanguage(browser)
  return browser
}

/** Closes all contexts of the browser, so that the next test file starts clean. */
export async function leaveBrowser(browser: Browser | undefined): Promise<void> {
  await Promise.all(browser?.contexts().map((context) => context.close()) ?? [])
}
