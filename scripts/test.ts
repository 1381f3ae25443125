// npm test [-- vitest arguments]: runs every project on the machine as it is. Says before and after what it has to leave out.
import { clearRecords } from '#testing/records.ts'
import { announceMissingParts, summarizeMissingParts } from './test-runs/missing-parts.ts'
import { runRecordedTests, runVitest } from './test-runs/run-vitest.ts'

const args = process.argv.slice(2)
if (args.length > 0) process.exit(runVitest(args))
console.log(`Database: ${process.env.MONGODB_URI ? 'MONGODB_URI' : 'embedded'}.`)
announceMissingParts()
clearRecords()
const status = runRecordedTests()
if (status === 0) console.log('All suites passed.')
console.log(summarizeMissingParts())
process.exit(status)
