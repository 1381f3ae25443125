import { spawnSync } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

let folder = ''

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'awaz-release-'))
  await copyFile(join(import.meta.dirname, 'awaz.sh'), join(folder, 'awaz'))
})

afterEach(() => rm(folder, { recursive: true, force: true }))

/** Installs a program in place of Node that prints its arguments and folders. */
async function installEcho() {
  const bin = join(folder, 'node_modules', `node-linux-${process.arch}`, 'bin')
  await mkdir(bin, { recursive: true })
  await mkdir(join(folder, 'node_modules/.awaz'))
  await writeFile(join(folder, 'node_modules/.awaz/whisper.json'), '{}')
  await writeFile(join(bin, 'node'), '#!/bin/sh\necho "$@" "$DATA_DIR"\n', { mode: 0o755 })
}

test('refuses to run on another kind of processor', () => {
  const { status, stderr } = spawnSync('sh', [join(folder, 'awaz')], { encoding: 'utf8' })

  expect(stderr).toContain("another kind of processor than this machine's")
  expect(status).toBe(1)
})

test('starts the product from any folder, also by a link, with the data folder of the environment', async () => {
  await installEcho()
  await symlink(join(folder, 'awaz'), join(folder, 'link'))
  const env = { PATH: process.env.PATH, DATA_DIR: '/var/lib/awaz' }

  const { stdout } = spawnSync('sh', [join(folder, 'link')], { encoding: 'utf8', cwd: '/', env })

  expect(stdout).toBe(`${folder}/scripts/start.ts /var/lib/awaz\n`)
})

test('sets no data folder that the file .env names', async () => {
  await installEcho()
  await writeFile(join(folder, '.env'), 'PORT=5001\nDATA_DIR=/srv/awaz\n')
  const env = { PATH: process.env.PATH }

  const { stdout } = spawnSync('sh', [join(folder, 'awaz')], { encoding: 'utf8', env })

  expect(stdout).toBe(`${folder}/scripts/start.ts \n`)
})

test('passes a command and its arguments to the command line', async () => {
  await installEcho()
  const env = { PATH: process.env.PATH }

  const { stdout } = spawnSync('sh', [join(folder, 'awaz'), 'admin', 'list'], { encoding: 'utf8', env })

  expect(stdout).toBe(`${folder}/scripts/awaz.ts admin list ${folder}/data\n`)
})
