// npm test [-- vitest arguments]: every project, on the machine as it is. Says what was used and what was left out.
import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { clearApiCoverage } from '#testing/api-coverage.ts'
import { findChromium } from '#testing/chromium.ts'

const root = dirname(import.meta.dirname)
const isCi = process.env.CI === 'true'
const chromium = findChromium()
const args = process.argv.slice(2)

const projects = ['unit', 'api', 'engine', 'web']
if (chromium || isCi) projects.push('e2e')
else console.log('Browser tests skipped: no Chromium was found (apt-get install chromium, or set CHROMIUM_PATH).')
console.log(`Database: ${process.env.MONGODB_URI ? 'MONGODB_URI' : 'embedded'}. Browser: ${chromium ?? 'none'}.`)

function vitest(vitestArgs: string[]): number {
  const { status } = spawnSync(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...vitestArgs], {
    cwd: root,
    env: { ...process.env, AWAZ_API_COVERAGE: '1' },
    stdio: 'inherit',
  })
  return status ?? 1
}

clearApiCoverage()
if (args.length > 0) process.exit(vitest(args))
const status = vitest(projects.flatMap((name) => ['--project', name]))
// Only a whole run has called everything there is.
process.exit(status || vitest(['--project', 'coverage']))
