import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { loadEnvFile } from './env-file.ts'

async function load(text: string, env: NodeJS.ProcessEnv = {}): Promise<NodeJS.ProcessEnv> {
  const path = join(await temporaryFolder(), '.env')
  await writeFile(path, text)
  const loaded: NodeJS.ProcessEnv = { ...env, AWAZ_ENV_FILE: path }
  loadEnvFile(loaded)
  delete loaded.AWAZ_ENV_FILE
  return loaded
}

test('reads settings, comments and quoted values', async () => {
  const text = '# a comment\nPORT=5001\n\nMAIL_FROM="Awaz <awaz@example.org>"\n#HOST=0.0.0.0\n'
  expect(await load(text)).toEqual({ PORT: '5001', MAIL_FROM: 'Awaz <awaz@example.org>' })
})

test('the environment wins, an empty value of it included', async () => {
  const env = { PORT: '6000', SMTP_URL: '' }
  expect(await load('PORT=5001\nSMTP_URL=smtp://mail\nHOST=::1\n', env)).toEqual({ ...env, HOST: '::1' })
})

test('a variable of the environment wins over NAME_FILE of the file, and the other way round', async () => {
  const env = { MONGODB_URI: 'mongodb://db/awaz', SMTP_URL_FILE: '/run/secrets/smtp' }
  expect(await load('MONGODB_URI_FILE=/etc/uri\nSMTP_URL=smtp://mail\n', env)).toEqual(env)
})

test('an unset variable of the environment takes its value from the file', async () => {
  expect(await load('PORT=5001\n', { PORT: undefined })).toEqual({ PORT: '5001' })
})

test('an empty AWAZ_ENV_FILE reads no file, and one that is missing is an error', () => {
  const env = { AWAZ_ENV_FILE: '' }
  loadEnvFile(env)
  expect(env).toEqual({ AWAZ_ENV_FILE: '' })
  expect(() => loadEnvFile({ AWAZ_ENV_FILE: '/nowhere/.env' })).toThrow(/ENOENT/)
})
