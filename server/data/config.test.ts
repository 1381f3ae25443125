import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { describeSettings } from './settings.ts'

test('.env.example lists every variable (if it does not: node scripts/env-example.ts)', async () => {
  const file = await readFile(join(import.meta.dirname, '..', '..', '.env.example'), 'utf8')
  expect(file).toBe(describeSettings())
})

test('listens on this machine alone and keeps data in ./data where nothing is set', () => {
  expect(readConfig({})).toMatchObject({ host: '127.0.0.1', port: 5000, publicUrl: 'http://localhost:5000', mongodbUri: undefined })
})

test('names every problem at once, each by its variable', () => {
  expect(() => readConfig({ PORT: 'http', MONGODB_URI: 'postgres://x', LOG_LEVEL: 'loud' })).toThrow(
    /PORT .*\n.*MONGODB_URI .*\n.*LOG_LEVEL /,
  )
})

test('reads a secret from a file, and refuses it beside the plain variable', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'awaz-config-'))
  try {
    const file = join(dir, 'uri')
    await writeFile(file, 'mongodb://db/awaz\n')
    expect(readConfig({ MONGODB_URI_FILE: file }).mongodbUri).toBe('mongodb://db/awaz')
    expect(() => readConfig({ MONGODB_URI_FILE: file, MONGODB_URI: 'mongodb://other/awaz' })).toThrow(/both set/)
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
})
