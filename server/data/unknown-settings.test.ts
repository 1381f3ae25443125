import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { readConfig } from './config.ts'
import { loadEnvFile } from './env-file.ts'

async function loadFile(text: string): Promise<void> {
  const path = join(await temporaryFolder(), '.env')
  await writeFile(path, text)
  loadEnvFile({ AWAZ_ENV_FILE: path })
}

test('a misspelt setting of the environment stops the start and names the nearest one', () => {
  const expected = 'ENGINE_PROCESES is not a setting; did you mean ENGINE_PROCESSES?'
  expect(() => readConfig({ ENGINE_PROCESES: '3' })).toThrow(expected)
  expect(() => readConfig({ SMPT_URL_FILE: '/run/secrets/smtp' })).toThrow('did you mean SMTP_URL_FILE?')
})

test('variables of other programs, and empty ones, stop nothing', () => {
  const env = {
    HOSTS: 'a',
    DATA_DIRECTORY: '/srv',
    KUBERNETES_PORT: '1',
    ENGINE_PROCESES: '',
    AWAZ_BIND: '::',
    XDG_DATA_DIRS: '/x',
  }
  expect(() => readConfig(env)).not.toThrow()
})

test('every setting, as NAME_FILE and for a language, is known', () => {
  expect(() => readConfig({ SPEECH_MODEL_PS: 'demo-speech', LOG_LEVEL: 'info' })).not.toThrow()
})

test('a file .env holds settings only: any other name is refused, all of them at once', async () => {
  const text =
    'PORTS=1\nENGINE_PROCESES=3\nSOMETHING=else\nLOG_LEVEL=info\nSPEECH_MODEL_PS=demo-speech\nTZ=Asia/Kabul\n'
  await expect(loadFile(text)).rejects.toThrow(
    /ENGINE_PROCESES .*\n.*PORTS is not a setting; did you mean PORT\?\n.*SOMETHING is not a setting; the settings are listed in \.env\.example$/,
  )
})
