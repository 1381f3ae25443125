// npm run test:endurance: runs the tests that repeat one thing many times, with all their rounds. See testing/rounds.ts.
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const root = dirname(import.meta.dirname)
const candidates = globSync('{server,engine,scripts,testing,web/e2e}/**/*.test.ts', { cwd: root })
const files = candidates.filter((path) => readFileSync(join(root, path), 'utf8').includes("'#testing/rounds.ts'"))
const untagged = files.filter((path) => !readFileSync(join(root, path), 'utf8').includes("tags: ['rounds']"))
if (untagged.length > 0) {
  console.error(`No test has the tag rounds, so that none would run: ${untagged.join(', ')}`)
  process.exit(1)
}
const vitest = join(root, 'node_modules/vitest/vitest.mjs')
const { status } = spawnSync(process.execPath, [vitest, 'run', '--tags-filter', 'rounds', ...files], {
  cwd: root,
  env: { ...process.env, AWAZ_ENDURANCE: '1' },
  stdio: 'inherit',
})
process.exit(status ?? 1)
