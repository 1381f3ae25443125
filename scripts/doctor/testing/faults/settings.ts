import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Fault } from '../fault.ts'

export const settingsFaults: Fault[] = [
  {
    code: 'settings.public_url',
    name: 'an address for every network without PUBLIC_URL',
    plant: () => ({ config: { host: '0.0.0.0', isPublicUrlSet: false } }),
  },
  {
    code: 'settings.not_encrypted',
    name: 'a public address without encryption',
    plant: () => ({ config: { publicUrl: 'http://awaz.example.org' } }),
  },
  {
    code: 'settings.proxy_hops',
    name: 'a public address behind a proxy that is not counted',
    plant: () => ({ config: { publicUrl: 'https://awaz.example.org', trustProxyHops: 0 } }),
  },
  {
    code: 'settings.backup_unencrypted',
    name: 'backups in clear text',
    plant: ({ config }) => ({ config: { backup: { ...config.backup, isUnencrypted: true } } }),
  },
  {
    code: 'settings.backup_inside_data',
    name: 'backups beside the data',
    plant: ({ config, dataDir }) => ({ config: { backup: { ...config.backup, folder: join(dataDir, 'backups') } } }),
  },
  {
    code: 'machine.small',
    name: 'more engines than processors',
    plant: () => ({ config: { engineProcesses: 10_000 } }),
  },
  {
    code: 'settings.readable',
    name: 'a passphrase in a file that everybody can read',
    async plant() {
      const folder = await mkdtemp(join(tmpdir(), 'awaz-doctor-settings-'))
      const path = join(folder, 'passphrase')
      await writeFile(path, 'correct horse battery staple')
      await chmod(path, 0o644)
      const env = { PATH: process.env.PATH, BACKUP_PASSPHRASE_FILE: path }
      return { env, undo: () => rm(folder, { recursive: true }) }
    },
  },
]
