import { copyFile, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { listRecords, recordPath, writeRecord, type BackupRecord } from '../../../backup/store/backup-record.ts'
import { changeDocument, flipBit, type Fault } from '../fault.ts'
import type { DoctorInstance } from '../instance.ts'

const inDays = (days: number) => () => new Date(Date.now() + days * 24 * 3_600_000)

async function findFile({ backupDir }: DoctorInstance, suffix: string): Promise<string> {
  const names = await readdir(backupDir, { recursive: true })
  const name = names.find((candidate) => candidate.endsWith(suffix))
  if (name === undefined) throw new Error(`There is no ${suffix} in the folder of backups`)
  return join(backupDir, name)
}

async function moveAway(path: string) {
  await rename(path, `${path}.away`)
  return { undo: () => rename(`${path}.away`, path) }
}

async function findBlob({ backupDir }: DoctorInstance): Promise<string> {
  const blobs = join(backupDir, 'blobs')
  const [folder = ''] = await readdir(blobs)
  const [name = ''] = await readdir(join(blobs, folder))
  return join(blobs, folder, name)
}

/** Writes another record, of the same files. */
async function addRecord({ backupDir }: DoctorInstance, changes: Partial<BackupRecord>) {
  const { records } = await listRecords(backupDir)
  const [record] = records
  if (!record) throw new Error('There is no backup')
  const archive = { ...record.archive, name: 'awaz-21000101T000000Z.tar' }
  const [source, target] = [join(backupDir, record.archive.name), join(backupDir, archive.name)]
  await copyFile(source, target)
  await writeRecord(backupDir, { ...record, archive, ...changes })
  return {
    async undo() {
      for (const path of [target, recordPath(target)]) await rm(path)
    },
  }
}

export const backupFaults: Fault[] = [
  {
    code: 'backup.folder',
    name: 'a folder of backups that is not mounted',
    plant: ({ config, dataDir }) => ({ config: { backup: { ...config.backup, folder: join(dataDir, 'unmounted') } } }),
  },
  {
    code: 'backup.none',
    name: 'a folder without a backup',
    plant: ({ config, dataDir }) => ({ config: { backup: { ...config.backup, folder: join(dataDir, 'audio') } } }),
  },
  { code: 'backup.old', name: 'a backup of five days ago', plant: () => ({ now: inDays(5) }) },
  {
    code: 'backup.future',
    name: 'a backup of a clock that was wrong',
    plant: (instance) => addRecord(instance, { createdAt: '2100-01-01T00:00:00.000Z' }),
  },
  {
    code: 'backup.faulty_audio',
    name: 'a newest backup that lacks sound',
    plant: (instance) => addRecord(instance, { createdAt: new Date().toISOString(), faultyRecordings: 3 }),
  },
  {
    code: 'backup.damaged_documents',
    name: 'a newest backup with damaged documents',
    plant: (instance) => addRecord(instance, { createdAt: new Date().toISOString(), damagedDocuments: 2 }),
  },
  {
    code: 'backup.failed',
    name: 'a daily backup that failed',
    plant: (instance) =>
      changeDocument(instance, 'audit_events', { filter: { action: 'backup.create' }, set: { outcome: 'failure' } }),
  },
  {
    code: 'backup.rehearsal',
    name: 'no rehearsal for two months',
    plant: (instance) =>
      changeDocument(instance, 'audit_events', { filter: { action: 'backup.rehearse' }, set: { at: inDays(-60)() } }),
  },
  {
    code: 'backup.damaged',
    name: 'sound of the newest backup that is gone',
    plant: async (instance) => moveAway(await findBlob(instance)),
  },
  {
    code: 'backup.damaged',
    name: 'a bit in the archive of the newest backup',
    plant: async (instance) => ({
      ...(await flipBit(await findFile(instance, '.tar'), (length) => Math.floor(length / 2))),
      isThorough: true,
    }),
  },
  {
    code: 'backup.record',
    name: 'a record of another archive',
    async plant(instance) {
      const record = await findFile(instance, '.json')
      const other = join(instance.backupDir, 'awaz-20200101T000000Z.json')
      await copyFile(record, other)
      return { undo: () => rm(other) }
    },
  },
]
