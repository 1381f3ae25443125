import { spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '#testing/temporary-folder.ts'

const root = dirname(import.meta.dirname)

test.each([
  ['npm start', ['scripts/start.ts']],
  ['the server', ['server/main.ts']],
  ['the engine', ['engine/main.ts']],
  ['a command', ['scripts/awaz.ts', 'models', 'list']],
  ['the demo', ['scripts/demo.ts']],
])('%s reads the file .env, and the environment wins', async (_, [script = '', ...args]) => {
  const file = join(await temporaryFolder(), '.env')
  await writeFile(file, 'PORT=many\nQUOTA_BYTES=few\n')
  const env = { PATH: process.env.PATH, AWAZ_ENV_FILE: file, QUOTA_BYTES: '1' }
  const { status, stderr } = spawnSync(process.execPath, [join(root, script), ...args], { env, encoding: 'utf8' })
  expect(stderr).toContain('The configuration has problems:\n  PORT must be a number')
  expect(stderr).not.toContain('QUOTA_BYTES')
  expect(status).toBe(1)
})
