import type { Page } from 'playwright-core'

const between = [
  { path: '/terms', name: 'Terms of Service' },
  { path: '/privacy', name: 'Privacy Policy' },
]

interface NavigateOptions {
  /** Runs on a page with little content: changing the size or colours of a page costs most when it has much content. */
  onTheWay?: () => Promise<void>
  /** Translates the headings of the pages on the way. */
  say?: (english: string) => string
}

/** Goes to an address without reloading the app, by way of a page that keeps no state, so that whatever was open is closed. */
export async function navigate(page: Page, address: string, { onTheWay, say = String }: NavigateOptions = {}) {
  const [way] = between.filter(({ path }) => path !== address)
  if (!way) throw new Error('There is no way')
  const heading = page.getByRole('heading', { level: 1, name: say(way.name) })
  await pushAddress(page, way.path)
  await heading.waitFor()
  await onTheWay?.()
  await pushAddress(page, address)
  await heading.waitFor({ state: 'detached' })
}

async function pushAddress(page: Page, address: string) {
  await page.evaluate((next) => {
    history.pushState(null, '', next)
    dispatchEvent(new PopStateEvent('popstate'))
  }, address)
}
