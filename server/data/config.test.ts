import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { defaultMaxUploadBytes } from '#contract/entities/recording.ts'
import { readConfig } from './config.ts'
import { describeSettings } from './describe-settings.ts'
import { settings } from './settings.ts'

test('has defaults for everything', () => {
  expect(readConfig({})).toMatchObject({
    port: 5000,
    publicUrl: 'http://localhost:5000',
    signinRequiresVerified: true,
    gateRequiresVerified: false,
    signIn: {},
    mongodbUri: undefined,
    adminEmail: 'admin@awaz.local',
  })
})

test.each([
  ['true', 'everybody'],
  ['false', 'nobody'],
])('GATE_REQUIRES_2FA=%s requires two-factor of %s, whatever super admins decide', (value, policy) => {
  const { signIn } = readConfig({ GATE_REQUIRES_2FA: value, TWO_FACTOR_GRACE_DAYS: '0' })
  expect(signIn).toEqual({ two_factor_policy: policy, two_factor_grace_days: 0 })
})

test('names every problem at once', () => {
  const env = { PORT: 'many', MONGODB_URI: 'postgres://x', REGISTRATION: 'perhaps', GATE_REQUIRES_2FA: 'perhaps' }
  expect(() => readConfig(env)).toThrow(/PORT .*\n.*MONGODB_URI .*\n.*REGISTRATION .*\n.*GATE_REQUIRES_2FA /)
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

test('a recording may have what the specification says, or MAX_UPLOAD_MB', () => {
  expect(readConfig({}).maxUploadBytes).toBe(defaultMaxUploadBytes)
  expect(readConfig({ MAX_UPLOAD_MB: '2048' }).maxUploadBytes).toBe(2 * 1024 ** 3)
})

test('describes every setting', () => {
  const text = describeSettings()
  for (const name of Object.keys(settings)) expect(text).toContain(`\n#${name}=`)
})

test('.env.example is the description of the settings (node scripts/env-example.ts writes it)', async () => {
  expect(await readFile(join(import.meta.dirname, '../../.env.example'), 'utf8')).toBe(describeSettings())
})

test('engines alone need a database that other hosts reach', () => {
  expect(() => readConfig({ RUN_SERVER: 'false' })).toThrow(/RUN_SERVER false needs MONGODB_URI/)
  const env = { RUN_SERVER: 'false', MONGODB_URI: 'mongodb://db.example.org/awaz', ENGINE_PROCESSES: '2' }
  expect(readConfig(env)).toMatchObject({ hasServer: false, engineProcesses: 2 })
})

test('reads transcription servers with their models', () => {
  const env = {
    SPEECH_SERVERS: ' http://10.0.0.5:8000/v1/, https://asr.example.org/whisper ,http://10.0.0.5:8000',
    SPEECH_SERVER_MODEL_PS: 'pashto',
  }
  expect(readConfig(env).speechServers).toMatchObject({
    addresses: ['http://10.0.0.5:8000', 'https://asr.example.org/whisper'],
    model: 'whisper-1',
    modelByLanguage: { ps: 'pashto' },
    timeoutMs: 120_000,
  })
  expect(readConfig({}).speechServers).toBeUndefined()
})

test.each([
  ['no address', 'ten'],
  ['another protocol', 'ftp://10.0.0.5'],
  ['a password', 'http://user:secret@10.0.0.5'],
  ['a query', 'http://10.0.0.5/?key=1'],
  ['a public address without encryption', 'http://10.0.0.5,http://8.8.8.8:8000'],
  ['a metadata address', 'http://169.254.169.254'],
  ['a public IPv6 address without encryption', 'http://[2001:db8::1]:8000'],
])('refuses transcription servers with %s', (_, servers) => {
  expect(() => readConfig({ SPEECH_SERVERS: servers })).toThrow(/SPEECH_SERVERS /)
})

test.each([
  'http://127.0.0.1',
  'http://[::1]:8000',
  'http://172.31.0.1',
  'http://[::ffff:10.0.0.1]',
  'http://[fd00::1]',
])('takes the private address %s without encryption', (address) => {
  expect(readConfig({ SPEECH_SERVERS: address }).speechServers?.addresses).toHaveLength(1)
})

test('takes a public address without encryption where a setting says so', () => {
  const env = { SPEECH_SERVERS: 'http://8.8.8.8', SPEECH_SERVER_ALLOW_HTTP: 'true' }
  expect(readConfig(env).speechServers).toMatchObject({ isHttpAllowed: true })
})

test('refuses a model that servers would take the place of', () => {
  const env = { SPEECH_SERVERS: 'http://10.0.0.5', SPEECH_MODEL_PS: 'pashto-large' }
  expect(() => readConfig(env)).toThrow(/SPEECH_MODEL is not used/)
})

test.each([
  ['SPEECH_MODEL_PRS', 'whisper-base', 'SPEECH_MODEL_PS, SPEECH_MODEL_EN'],
  ['SPEECH_MODEL_DE', 'whisper-base', 'SPEECH_MODEL_FA'],
  ['SPEECH_SERVER_MODEL_PRS', 'whisper-1', 'SPEECH_SERVER_MODEL_PS'],
])('%s, a language that nobody can ask for, is refused with those there are', (name, value, known) => {
  expect(() => readConfig({ [name]: value })).toThrow(`${name} names no language of transcription; there are `)
  expect(() => readConfig({ [name]: value })).toThrow(known)
  expect(() => readConfig({ [name]: '' })).not.toThrow()
})

test('takes a daily backup with a passphrase from a file, and keeps 7, 4 and 12', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'awaz-config-'))
  const file = join(folder, 'passphrase')
  await writeFile(file, 'five words drawn at random\n')
  const env = { BACKUP_DIR: '/backups', BACKUP_TIME: '02:00', BACKUP_PASSPHRASE_FILE: file }
  expect(readConfig(env).backup).toEqual({
    folder: '/backups',
    time: '02:00',
    passphrase: 'five words drawn at random',
    recipients: [],
    isUnencrypted: false,
    keep: { daily: 7, weekly: 4, monthly: 12 },
  })
  await rm(folder, { recursive: true })
})

test.each([
  ['a time that is none', { BACKUP_DIR: '/b', BACKUP_TIME: '24:00' }, 'BACKUP_TIME must be a time of day'],
  ['a time without a folder', { BACKUP_TIME: '02:00' }, 'BACKUP_TIME needs BACKUP_DIR'],
  ['a time without encryption', { BACKUP_DIR: '/b', BACKUP_TIME: '02:00' }, 'BACKUP_TIME needs BACKUP_PASSPHRASE_FILE'],
  ['a short passphrase', { BACKUP_PASSPHRASE: 'short' }, 'BACKUP_PASSPHRASE must have at least 12 characters'],
  ['two ways to encrypt', { BACKUP_RECIPIENTS: 'age1abc', BACKUP_UNENCRYPTED: 'true' }, 'exclude one another'],
])('refuses backups with %s', (_, env, problem) => {
  expect(() => readConfig(env)).toThrow(problem)
})
