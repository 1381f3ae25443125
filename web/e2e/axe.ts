import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

/** Lists the accessibility violations that axe finds on a page, or in the part of it that matches a selector. */
export async function listAxeViolations(page: Page, selector = 'html'): Promise<string[]> {
  await page.addScriptTag({ path: axePath })
  // axe adds itself to the window and returns its documented result.
  const results = (await page.evaluate(`axe.run(${JSON.stringify(selector)})`)) as AxeResults
  return results.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary?.split('\n')[1] ?? ''}`),
  )
}
