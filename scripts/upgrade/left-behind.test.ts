import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, realpath, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '#testing/database.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { findLeftBehind } from './left-behind.ts'
import { makeRelease, uriOf } from './testing/release.ts'

let release = ''
/** The link to the release through which an installation starts it. */
let link = ''
/** Folders outside the release, where an upgrade leaves nothing behind. */
let outside = { dataDir: '', modelsDir: '' }

beforeEach(async () => {
  const parent = await realpath(await temporaryFolder())
  release = join(parent, 'awaz-OLD')
  link = join(parent, 'awaz')
  outside = { dataDir: join(parent, 'lib'), modelsDir: join(parent, 'lib', 'models') }
  for (const folder of [release, outside.dataDir, join(release, 'data', 'models')]) {
    await mkdir(folder, { recursive: true })
  }
  await writeFile(join(release, 'RELEASE'), '1.2.3 linux-x64\n')
  await writeFile(join(release, '.env'), 'PORT=5000\n')
  await symlink('awaz-OLD', link)
})

test('data and settings in the folder of the release are named, also by the link', async () => {
  const config = { dataDir: join(link, 'data'), modelsDir: join(link, 'data', 'models') }
  expect(await findLeftBehind(config, {}, link)).toEqual([
    expect.stringContaining(`DATA_DIR is ${release}/data, in the folder of the release that runs`),
    expect.stringContaining(`The file of settings is ${release}/.env, in the folder of the release that runs`),
  ])
  const env = { AWAZ_ENV_FILE: join(link, '.env') }
  expect(await findLeftBehind(outside, env, release)).toEqual([expect.stringContaining('set AWAZ_ENV_FILE')])
})

test('awaz upgrade --check of a release names them', async () => {
  const root = dirname(dirname(import.meta.dirname))
  for (const path of ['package.json', 'scripts', 'server', 'engine']) {
    await cp(join(root, path), join(release, path), { recursive: true })
  }
  await symlink(join(root, 'node_modules'), join(release, 'node_modules'))
  const next = await makeRelease()
  const database = await createTestDatabase()
  onTestFinished(() => database.drop())
  const env = { ...process.env, DATA_DIR: join(release, 'data'), MONGODB_URI: uriOf(database) }
  const args = [join(release, 'scripts', 'awaz.ts'), 'upgrade', '--check', next, '--unsigned']
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'pipe'] })
  const [stderr] = await Promise.all([text(child.stderr), once(child, 'close')])
  expect([child.exitCode, stderr]).toEqual([1, expect.stringContaining('Problem: DATA_DIR is')])
})

test('models in the folder of the release are named where the data is elsewhere', async () => {
  const config = { ...outside, modelsDir: join(release, 'data', 'models') }
  const env = { AWAZ_ENV_FILE: '' }
  expect(await findLeftBehind(config, env, release)).toEqual([expect.stringContaining('MODELS_DIR is')])
})

test('an installation beside the release leaves nothing behind', async () => {
  await writeFile(join(outside.dataDir, 'awaz.env'), '')
  const env = { AWAZ_ENV_FILE: join(outside.dataDir, 'awaz.env') }
  expect(await findLeftBehind(outside, env, release)).toEqual([])
  expect(await findLeftBehind({ dataDir: `${release}-data`, modelsDir: '/nowhere' }, env, release)).toEqual([])
})

test('a clone keeps its folder', async () => {
  const clone = await temporaryFolder()
  await mkdir(join(clone, 'data'))
  await writeFile(join(clone, '.env'), '')
  expect(await findLeftBehind({ dataDir: join(clone, 'data'), modelsDir: clone }, {}, clone)).toEqual([])
})
