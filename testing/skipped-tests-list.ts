import { writeFileSync } from 'node:fs'
import type { Reporter, TestModule } from 'vitest/node'

/**
 * A vitest reporter that writes a JSON list of the files with skipped tests, as paths from the root of the checkout, to the file
 * AWAZ_SKIPPED_TESTS_LIST: a machine that lacks something skips them, and another machine runs them (`npm run test:ci`).
 */
export default class SkippedTestsList implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const file = process.env.AWAZ_SKIPPED_TESTS_LIST
    if (!file) return
    const withSkippedTests = modules.filter((module) => [...module.children.allTests('skipped')].length > 0)
    writeFileSync(file, JSON.stringify(withSkippedTests.map(({ relativeModuleId }) => relativeModuleId).toSorted()))
  }
}
