// npm run test:ci: `npm test` in two steps, for .ci/run, which runs unit and api in a bare root, and the tests with rounds elsewhere: each
// test runs once, where it has what it needs.
//
//   npm run test:ci -- product        the suites that a bare root does not run, without the tests that npm run test:endurance runs
//   npm run test:ci -- rest FOLDER    the files of unit and api in which the bare root skipped a test (all files if it could not run), and
//                                     the checks of all records together; FOLDER is that of npm run bare:test -- --records FOLDER
import { clearRecords } from '#testing/records.ts'
import { importRecords } from './bare-records.ts'
import { announceMissingParts, summarizeMissingParts } from './missing-parts.ts'
import { runRecordedTests } from './run-vitest.ts'

const projects = (...names: string[]) => names.flatMap((name) => ['--project', name])
const [step, folder] = process.argv.slice(2)

if (step === 'product') {
  announceMissingParts()
  clearRecords()
  process.exit(runRecordedTests([...projects('engine', 'e2e', 'web', 'real', 'gridfs'), '--tags-filter', '!rounds']))
}
if (step === 'rest' && folder) {
  const withSkippedTests = importRecords(folder)
  const files = withSkippedTests ? [...withSkippedTests, 'testing/api.coverage.ts', 'testing/database.coverage.ts'] : []
  const status = runRecordedTests([...projects('unit', 'api', 'coverage'), ...files])
  console.log(summarizeMissingParts())
  process.exit(status)
}
console.error('Usage: npm run test:ci -- product | rest FOLDER')
process.exit(2)
