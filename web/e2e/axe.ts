import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

/** Lists what axe finds wrong with a page as it stands. */
export async function listAxeFaults(page: Page): Promise<string[]> {
  await page.addScriptTag({ path: axePath })
  // axe puts itself on the window; what it returns is its own documented result.
  const results = (await page.evaluate('axe.run()')) as AxeResults
  return results.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary?.split('\n')[1] ?? ''}`),
  )
}
