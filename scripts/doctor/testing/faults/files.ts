import { chmod, chown, mkdir, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { changeDocument, flipBit, replaceFile, type Fault, type PlantedFault } from '../fault.ts'
import type { DoctorInstance } from '../instance.ts'

const weeksAgo = () => new Date(Date.now() - 15 * 24 * 3_600_000)
const masterKey = ({ dataDir }: DoctorInstance) => join(dataDir, 'secrets', 'master-key')

async function openTo(path: string, mode: number, before: number): Promise<PlantedFault> {
  await chmod(path, mode)
  return { undo: () => chmod(path, before) }
}

/** Writes a file last modified two weeks ago. */
async function writeOld(path: string): Promise<PlantedFault> {
  await mkdir(join(path, '..'), { recursive: true, mode: 0o700 })
  await writeFile(path, 'content')
  await utimes(path, weeksAgo(), weeksAgo())
  return { undo: () => rm(path, { force: true }) }
}

export const fileFaults: Fault[] = [
  {
    code: 'files.readable',
    name: 'a master key that everybody can read',
    plant: (instance) => openTo(masterKey(instance), 0o644, 0o600),
    isFixable: true,
  },
  {
    code: 'files.readable',
    name: 'an open folder of secrets',
    plant: ({ dataDir }) => openTo(join(dataDir, 'secrets'), 0o755, 0o700),
    isFixable: true,
  },
  {
    code: 'files.readable',
    name: 'an open folder of restore points, which hold the whole database',
    async plant({ dataDir }) {
      const path = join(dataDir, 'restore-points')
      await mkdir(path)
      await chmod(path, 0o755)
      return { undo: () => rm(path, { recursive: true }) }
    },
    isFixable: true,
  },
  {
    code: 'doctor.other_user',
    name: 'another user than that of Awaz',
    isForRoot: true,
    async plant({ dataDir }) {
      await chown(dataDir, 65_534, 65_534)
      return { undo: () => chown(dataDir, 0, 0) }
    },
  },
  {
    code: 'files.initial_password',
    name: 'the first password, weeks later',
    async plant({ dataDir }) {
      const path = join(dataDir, 'initial-admin-password')
      await utimes(path, weeksAgo(), weeksAgo())
      return { undo: () => utimes(path, new Date(), new Date()) }
    },
  },
  {
    code: 'secrets.master_key',
    name: 'a master key that is gone',
    async plant(instance) {
      const path = masterKey(instance)
      await rename(path, `${path}.away`)
      return { undo: () => rename(`${path}.away`, path) }
    },
  },
  {
    code: 'secrets.master_key',
    name: 'half a master key',
    plant: (instance) => replaceFile(masterKey(instance), (content) => content.subarray(0, 20)),
  },
  {
    code: 'secrets.master_key',
    name: 'another bit in the master key',
    plant: (instance) => flipBit(masterKey(instance), () => 11),
  },
  {
    code: 'secrets.two_factor',
    name: 'a second factor of another key',
    plant: (instance) =>
      changeDocument(instance, 'users', {
        filter: { 'twoFactor.secret': { $type: 'string' } },
        set: { 'twoFactor.secret': Buffer.alloc(60, 7).toString('base64') },
      }),
  },
  {
    code: 'secrets.webhook',
    name: 'a webhook secret that was cut short',
    plant: (instance) => changeDocument(instance, 'webhooks', { set: { sealedSecret: 'AAAA' } }),
  },
  {
    code: 'secrets.provider',
    name: 'a client secret of another key',
    plant: (instance) =>
      changeDocument(instance, 'sign_in_providers', { set: { sealedSecret: Buffer.alloc(60, 7).toString('base64') } }),
  },
  {
    code: 'leftovers.temporary',
    name: 'a decoded recording of a job that ended',
    plant: ({ dataDir }) => writeOld(join(dataDir, 'tmp', `job-${'a'.repeat(24)}-${'b'.repeat(24)}`)),
    isFixable: true,
  },
  {
    code: 'leftovers.uploads',
    name: 'a partial upload of two weeks ago',
    plant: ({ dataDir }) => writeOld(join(dataDir, 'audio', 'parts', `${'a'.repeat(24)}.part`)),
    isFixable: true,
  },
  {
    code: 'leftovers.unfinished',
    name: 'a part of an upload that the database does not know',
    plant: ({ dataDir }) => writeOld(join(dataDir, 'audio', 'uploads', `${'a'.repeat(24)}.part`)),
    isFixable: true,
  },
  {
    code: 'disk.unwritable',
    name: 'a file in place of a folder',
    async plant({ dataDir }) {
      await rm(join(dataDir, 'tmp'), { recursive: true, force: true })
      await writeFile(join(dataDir, 'tmp'), '')
      return { undo: () => rm(join(dataDir, 'tmp')) }
    },
  },
  {
    code: 'ffmpeg.unsuitable',
    name: 'FFMPEG_PATH of a program that is not there',
    plant: () => ({ env: { PATH: process.env.PATH, FFMPEG_PATH: '/nowhere/ffmpeg' } }),
  },
  {
    code: 'watch_folder.unusable',
    name: 'a watch folder that is not mounted',
    plant: ({ dataDir }) => ({ config: { watchFolder: { folder: join(dataDir, 'not-mounted'), settleMs: 1000 } } }),
  },
]
