import { chromium, type Browser } from 'playwright-core'
import { findChromium } from './chromium.ts'

const args = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--autoplay-policy=no-user-gesture-required',
]

/** Launches the machine's Chromium with these additional arguments. Throws if there is none: see findChromium. */
export async function launchBrowser(more: readonly string[] = []): Promise<Browser> {
  const executablePath = findChromium()
  if (!executablePath) throw new Error('No Chromium found: set CHROMIUM_PATH')
  return await chromium.launch({ executablePath, args: [...args, ...more] })
}
