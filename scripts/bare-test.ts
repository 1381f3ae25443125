// npm run bare:test [-- --whole]: runs the two commands of README.md on the machine described there: Debian 12 with only Node 20, npm and
// g++, and an empty npm cache. `npm test` there runs the projects unit and api; with --whole, all of them. Needs root, debootstrap, and the
// Debian and npm registries; exits with 75 where it cannot run. With --records FOLDER, it leaves there what npm run test:ci needs.
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { copySources, makeBareRoot, spawnBare } from './image/bare-root.ts'
import { exportRecords, skippedTestsList, createRecordFolders } from './test-runs/bare-records.ts'
import { giveUp, requireTools } from './image/tools.ts'

const startTimeoutMs = 1_800_000
const { values } = parseArgs({ options: { whole: { type: 'boolean', default: false }, records: { type: 'string' } } })
const reporters = ['--reporter=default', '--reporter=./testing/skipped-tests-list.ts']
const projects = values.whole ? [] : ['--', '--project', 'unit', '--project', 'api', ...reporters]
/** As in a whole run: records the API calls and database requests that are made. */
const recording = ['AWAZ_WHOLE_RUN=1', `AWAZ_SKIPPED_TESTS_LIST=/app/${skippedTestsList}`]

requireTools('npm run bare:test', ['debootstrap', 'unshare', 'git', 'tar', 'npm'])
const work = await mkdtemp(join(tmpdir(), 'awaz-bare-'))
const root = join(work, 'root')
try {
  try {
    makeBareRoot(root)
  } catch (error) {
    giveUp('npm run bare:test', `the root cannot be made: ${String(error)}`)
  }
  copySources(dirname(import.meta.dirname), root)
  await tryStart()
  await runTests()
  if (values.records) exportRecords(join(root, 'app'), values.records)
} finally {
  await rm(work, { recursive: true, force: true })
}
console.log('ok   npm start and npm test hold on a bare machine.')

async function tryStart() {
  const startMs = performance.now()
  const child = spawnBare(root, ['npm', 'start'], ['PORT=0'])
  const exited = once(child, 'exit')
  const timer = setTimeout(() => child.kill('SIGKILL'), startTimeoutMs)
  try {
    const address = await Promise.race([readAddress(child), exited.then(() => undefined)])
    if (!address) throw new Error('npm start exited before the product was ready')
    while (!(await fetch(new URL('/readyz', address))).ok) await new Promise((resolve) => setTimeout(resolve, 200))
    console.log(`ok   npm start: ready after ${Math.round((performance.now() - startMs) / 1000)} s`)
  } finally {
    clearTimeout(timer)
    child.kill('SIGKILL')
    await exited
  }
}

async function readAddress(child: ChildProcess): Promise<string | undefined> {
  if (!child.stdout) return undefined
  for await (const line of createInterface({ input: child.stdout })) {
    console.log(line)
    const address = /running at (http:[^\s"]+)/.exec(line)?.[1]
    if (address) return address
  }
  return undefined
}

async function runTests() {
  if (values.records) createRecordFolders(join(root, 'app'))
  const child = spawnBare(root, ['npm', 'test', ...projects], values.records ? recording : [])
  child.stdout?.pipe(process.stdout)
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`npm test ended with status ${code} on a bare machine`)
  console.log('ok   npm test: status 0')
}
