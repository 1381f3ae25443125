import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

/** Lists the accessibility violations that axe finds on a page, or in the part of it that matches a selector. */
export async function listAxeViolations(page: Page, selector = 'html'): Promise<string[]> {
  const hasAxe = await page.evaluate('"axe" in window')
  if (!hasAxe) await page.addScriptTag({ path: axePath })
  // What passed is neither described nor sent: that costs more than the checks. axe returns its documented result.
  const violations = (await page.evaluate(
    `axe.run(${JSON.stringify(selector)}, { resultTypes: ['violations'] }).then((results) => results.violations)`,
  )) as AxeResults['violations']
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary?.split('\n')[1] ?? ''}`),
  )
}
