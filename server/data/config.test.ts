import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { describeSettings, settings } from './settings.ts'

test('has defaults for everything', () => {
  expect(readConfig({})).toMatchObject({
    port: 5000,
    publicUrl: 'http://localhost:5000',
    signinRequiresVerified: true,
    gateRequires2fa: false,
    mongodbUri: undefined,
    adminEmail: 'admin@awaz.local',
  })
})

test('names every problem at once', () => {
  const env = { PORT: 'many', MONGODB_URI: 'postgres://x', AUDIO_STORE: 'tape', GATE_REQUIRES_2FA: 'perhaps' }
  expect(() => readConfig(env)).toThrow(/PORT .*\n.*MONGODB_URI .*\n.*AUDIO_STORE .*\n.*GATE_REQUIRES_2FA /)
})

test('takes empty variables for unset ones', () => {
  expect(readConfig({ PUBLIC_URL: '', SMTP_URL: '' })).toMatchObject({
    publicUrl: 'http://localhost:5000',
    smtpUrl: undefined,
  })
})

test('reads a value from the file that NAME_FILE names, and refuses both', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'awaz-config-'))
  const file = join(folder, 'uri')
  await writeFile(file, 'mongodb://user:secret@db/awaz\n')
  expect(readConfig({ MONGODB_URI_FILE: file }).mongodbUri).toBe('mongodb://user:secret@db/awaz')
  expect(() => readConfig({ MONGODB_URI_FILE: file, MONGODB_URI: 'mongodb://x' })).toThrow(/keep one/)
  expect(() => readConfig({ SMTP_URL_FILE: join(folder, 'nothing') })).toThrow(/SMTP_URL_FILE cannot be read/)
  await rm(folder, { recursive: true })
})

test('reads speech models of single languages', () => {
  expect(readConfig({ SPEECH_MODEL_PS: 'pashto-large' }).speechModelByLanguage).toEqual({ ps: 'pashto-large' })
})

test('describes every setting', () => {
  const text = describeSettings()
  for (const name of Object.keys(settings)) expect(text).toContain(`\n#${name}=`)
})

test('refuses to keep audio in a database that cannot hold it', () => {
  expect(() => readConfig({ AUDIO_STORE: 'gridfs' })).toThrow(/AUDIO_STORE gridfs needs MONGODB_URI/)
})
