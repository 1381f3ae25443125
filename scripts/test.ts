// npm test [-- vitest arguments]: every project, on the machine as it is. Says what was used and what was left out.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { findChromium } from '#testing/chromium.ts'

const root = dirname(import.meta.dirname)
const isCi = process.env.CI === 'true'
const chromium = findChromium()
const hasE2e = existsSync(join(root, 'web', 'e2e', 'job.test.ts'))

const projects = ['unit', 'api', 'engine', 'web']
if (chromium || isCi) projects.push('e2e')
else if (hasE2e)
  console.log('Browser tests skipped: no Chromium was found (set CHROMIUM_PATH, or apt-get install chromium).')

console.log(`Database: ${process.env.MONGODB_URI ? 'MONGODB_URI' : 'embedded'}. Browser: ${chromium ?? 'none'}.`)
const args = process.argv.slice(2)
const chosen = args.some((arg) => arg.startsWith('--project')) ? [] : projects.flatMap((name) => ['--project', name])
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
const { status } = spawnSync(process.execPath, [vitest, 'run', ...chosen, ...args], { cwd: root, stdio: 'inherit' })
process.exit(status ?? 1)
