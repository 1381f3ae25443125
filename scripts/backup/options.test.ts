import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig } from '#data/config.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { readKeys, readProtection } from './options.ts'

test('one passphrase file gives the same passphrase by the setting and by the option', async () => {
  const path = join(await temporaryFolder(), 'passphrase')
  await writeFile(path, '  correct horse battery staple \t\r\n\n')
  const settings = readConfig({ BACKUP_PASSPHRASE_FILE: path }).backup
  const none = readConfig({}).backup
  const option = { 'passphrase-file': path, unencrypted: false }
  const passphrase = '  correct horse battery staple'
  expect(await readProtection({ unencrypted: false }, settings)).toEqual({ kind: 'passphrase', passphrase })
  expect(await readProtection(option, none)).toEqual({ kind: 'passphrase', passphrase })
  expect(await readKeys({ unencrypted: false }, settings)).toEqual({ passphrase, identities: [] })
  expect(await readKeys(option, none)).toEqual({ passphrase, identities: [] })
})
