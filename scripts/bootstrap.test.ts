import { spawnSync } from 'node:child_process'
import { chmod, cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

/** Folder of an installation that its user can read but not write. */
let root = ''

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'awaz-bootstrap-'))
  await mkdir(join(root, 'scripts'))
  for (const name of ['bootstrap.mjs', 'build-whisper.mjs']) {
    await cp(join(import.meta.dirname, name), join(root, 'scripts', name))
  }
  await writeFile(join(root, 'package-lock.json'), '{}')
})

afterEach(async () => {
  await chmod(root, 0o755)
  await rm(root, { recursive: true, force: true })
})

/** Runs bootstrap.mjs as a user who cannot write to the folder, under the machine's own Node. */
async function bootstrap() {
  await chmod(root, 0o555)
  const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
  return spawnSync('node', [join(root, 'scripts/bootstrap.mjs')], { encoding: 'utf8', timeout: 20_000, ...nobody })
}

test('says what to do when packages are missing and the folder cannot be written', async () => {
  const { status, stderr } = await bootstrap()

  expect(stderr).toContain('Run "npm run build" as its owner')
  expect(status).toBe(1)
})

test('installs nothing through a link to the packages of another checkout', async () => {
  await mkdir(join(root, 'elsewhere'))
  await symlink('elsewhere', join(root, 'node_modules'))
  const { status, stderr } = spawnSync('node', [join(root, 'scripts/bootstrap.mjs')], {
    encoding: 'utf8',
    timeout: 20_000,
  })

  expect(stderr).toContain('node_modules is a symbolic link')
  expect(status).toBe(1)
})

test('installs and builds nothing in a release', async () => {
  await writeFile(join(root, 'RELEASE'), '0.1.0 linux-x64\n')

  const { status, stderr } = await bootstrap()

  expect(stderr).toBe('')
  expect(status).toBe(0)
  expect((await readdir(root)).toSorted()).toEqual(['RELEASE', 'package-lock.json', 'scripts'])
})
