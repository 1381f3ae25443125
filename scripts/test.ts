// npm test [-- vitest arguments]: every project, on the machine as it is. Says what was used and what was left out.
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { clearApiCoverage } from '#testing/api-coverage.ts'
import { findChromium } from '#testing/chromium.ts'
import { databaseRecordFolder } from '#testing/database-recording.ts'
import { realDataAbsence, realModelsAbsence } from '#testing/real-data.ts'

const root = dirname(import.meta.dirname)
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
  return vitest(
    names.flatMap((name) => ['--project', name]),
    env,
  )
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
const outcomes = [
  runProjects(['unit', 'web']),
  runWatched(),
  hasBrowser ? runProjects(['e2e']) : 0,
  runProjects(['real']),
]
process.exit(Math.max(...outcomes))
