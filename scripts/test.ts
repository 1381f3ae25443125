// npm test [-- vitest arguments]: every project, on the machine as it is. Says what was used and what was left out.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { clearApiCoverage } from '#testing/api-coverage-records.ts'
import { findChromium } from '#testing/chromium.ts'
import { databaseRecordFolder } from '#testing/database-recording.ts'
import { realDataAbsence, realModelsAbsence } from '#testing/real-data.ts'

const root = dirname(import.meta.dirname)
const failureList = join(root, 'node_modules', '.awaz', 'failures.txt')
const isCi = process.env.CI === 'true'
const chromium = findChromium()
const args = process.argv.slice(2)

function vitest(vitestArgs: string[], env: Record<string, string> = {}): number {
  const { status } = spawnSync(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...vitestArgs], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: 'inherit',
  })
  return status ?? 1
}

function runProjects(names: string[], env?: Record<string, string>): number {
  const reporters = ['--reporter=default', '--reporter=./testing/failure-list.ts']
  return vitest([...reporters, ...names.flatMap((name) => ['--project', name])], {
    ...env,
    AWAZ_FAILURE_LIST: failureList,
  })
}

/** Several suites print thousands of lines; what failed in any of them is told once more at the end. */
function printOutcome(status: number) {
  if (status === 0) return console.log('All suites passed.')
  const failures = existsSync(failureList) ? readFileSync(failureList, 'utf8') : ''
  console.log(`Failed:\n${failures || 'A suite ended before it could name what failed; see above.'}`)
}

/** The suites that run the application, watched: what they called and what they asked the database is checked afterwards. */
function runWatched(): number {
  clearApiCoverage()
  rmSync(databaseRecordFolder, { recursive: true, force: true })
  mkdirSync(databaseRecordFolder, { recursive: true })
  const env = { AWAZ_API_COVERAGE: '1', AWAZ_DB_RECORD_DIR: databaseRecordFolder }
  return runProjects(['api', 'engine'], env) || runProjects(['coverage'])
}

if (args.length > 0) process.exit(vitest(args))
console.log(`Database: ${process.env.MONGODB_URI ? 'MONGODB_URI' : 'embedded'}. Browser: ${chromium ?? 'none'}.`)
const hasBrowser = chromium !== undefined || isCi
if (!hasBrowser)
  console.log('Browser tests skipped: no Chromium was found (apt-get install chromium, or set CHROMIUM_PATH).')
const realAbsence = realModelsAbsence() ?? realDataAbsence()
if (realAbsence) console.log(`Tests that need real weights or recordings of people skipped: ${realAbsence}`)
rmSync(failureList, { force: true })
const outcomes = [
  runProjects(['unit', 'web']),
  runWatched(),
  hasBrowser ? runProjects(['e2e']) : 0,
  runProjects(['real']),
]
const status = Math.max(...outcomes)
printOutcome(status)
process.exit(status)
