// npm test [-- vitest arguments]: every project, on the machine as it is. Says before and after what it has to leave out.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { clearApiCoverage } from '#testing/api-coverage-records.ts'
import { databaseRecordFolder } from '#testing/database-recording.ts'
import { describeNeed, findMissingNeeds, isMissingPackage } from '#testing/needs.ts'

const root = dirname(import.meta.dirname)
const failureList = join(root, 'node_modules', '.awaz', 'failures.txt')
const args = process.argv.slice(2)

function runVitest(vitestArgs: string[], env: Record<string, string> = {}): number {
  const { status } = spawnSync(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...vitestArgs], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: 'inherit',
  })
  return status ?? 1
}

/** Runs every project; what the suites that run the application called and asked of the database is checked at their end. */
function runAll(): number {
  clearApiCoverage()
  for (const path of [failureList, databaseRecordFolder]) rmSync(path, { recursive: true, force: true })
  mkdirSync(databaseRecordFolder, { recursive: true })
  return runVitest(['--reporter=default', '--reporter=./testing/failure-list.ts'], {
    AWAZ_WHOLE_RUN: '1',
    AWAZ_FAILURE_LIST: failureList,
  })
}

/** Thousands of lines are printed before; what failed is reported once more at the end. */
function printOutcome(status: number) {
  if (status === 0) return console.log('All suites passed.')
  const failures = existsSync(failureList) ? readFileSync(failureList, 'utf8') : ''
  console.log(`Failed:\n${failures || 'The run ended before it could name what failed; see above.'}`)
}

if (args.length > 0) process.exit(runVitest(args))
console.log(`Database: ${process.env.MONGODB_URI ? 'MONGODB_URI' : 'embedded'}.`)
const missing = findMissingNeeds()
for (const need of missing) console.log(`Left out: ${describeNeed(need)}`)
const missingPackages = process.env.CI === 'true' ? missing.filter(isMissingPackage) : []
if (missingPackages.length > 0) {
  console.log(`With CI=true everything that Debian has must be installed: ${missingPackages.join(', ')}.`)
  process.exit(1)
}
const status = runAll()
printOutcome(status)
console.log(missing.length === 0 ? 'Nothing was left out.' : `Left out: ${missing.map(describeNeed).join('; ')}.`)
process.exit(status)
