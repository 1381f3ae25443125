import { writeFileSync } from 'node:fs'
import type { Reporter, TestModule } from 'vitest/node'

/**
 * A vitest reporter that writes a JSON list of the files of which a test did not run, as paths from the root of the checkout, to the file
 * AWAZ_PARTLY_RUN_FILES: on a machine that lacks something they are left, and another machine runs them (`npm run test:ci`).
 */
export default class PartlyRunFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const file = process.env.AWAZ_PARTLY_RUN_FILES
    if (!file) return
    const partlyRun = modules.filter((module) => [...module.children.allTests('skipped')].length > 0)
    writeFileSync(file, JSON.stringify(partlyRun.map(({ relativeModuleId }) => relativeModuleId).toSorted()))
  }
}
