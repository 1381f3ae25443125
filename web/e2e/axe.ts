import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

/** The axe rules whose result depends on colours; all others have the same result in both colour schemes. */
export const colourRules = ['color-contrast', 'link-in-text-block']

/**
 * Lists the accessibility violations that axe finds on a page, or in the part of it that matches a selector.
 *
 * @param rules default: all rules that axe runs by default
 */
export async function listAxeViolations(page: Page, selector = 'html', rules?: readonly string[]): Promise<string[]> {
  const hasAxe = await page.evaluate('"axe" in window')
  if (!hasAxe) await page.addScriptTag({ path: axePath })
  // Passed checks are neither described nor returned: that costs more than the checks. axe returns its documented result.
  const options = { resultTypes: ['violations'], selectors: false, ...(rules && { runOnly: rules }) }
  const violations = (await page.evaluate(
    `axe.run(${JSON.stringify(selector)}, ${JSON.stringify(options)}).then((results) => results.violations)`,
  )) as AxeResults['violations']
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary?.split('\n')[1] ?? ''}`),
  )
}
