import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, rename, rm, truncate, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { toObjectId } from '#data/ids.ts'
import { storeTranscription } from '#server/features/library/testing/store-texts.ts'
import { setDatabaseTime } from '../database-clock.ts'
import { addDocument, changeDocument, flipBit, replaceFile, type Fault } from '../fault.ts'
import type { DoctorInstance } from '../instance.ts'

const dayMs = 24 * 3_600_000

/** Drops an index and, where options are given, creates another one on the same fields. */
async function replaceIndex({ collection, restoreIndexes }: DoctorInstance, name: string, options?: object) {
  const users = collection('users')
  const [, ...indexes] = await users.indexes()
  const index = indexes.find((candidate) => candidate.unique)
  if (!index?.name) throw new Error(`There is no unique index in ${name}`)
  await users.dropIndex(index.name)
  if (options) await users.createIndex(index.key, options)
  return {
    async undo() {
      if (options) await users.dropIndex(index.name ?? '')
      await restoreIndexes()
    },
  }
}

const soundOf = ({ recordings }: DoctorInstance, n: number) => recordings[n]?.path ?? ''

export const dataFaults: Fault[] = [
  {
    code: 'database.index_missing',
    name: 'a dropped index',
    plant: (instance) => replaceIndex(instance, 'users'),
    isFixable: true,
  },
  {
    code: 'database.index_different',
    name: 'an index that is not unique any more',
    plant: (instance) => replaceIndex(instance, 'users', { unique: false }),
  },
  {
    code: 'database.newer',
    name: 'data of a newer version',
    plant: (instance) =>
      changeDocument(instance, 'system_facts', { filter: { _id: 'data_version' }, set: { value: '99' } }),
  },
  {
    code: 'database.older',
    name: 'data whose migration has not finished',
    plant: (instance) => changeDocument(instance, 'migrations', { set: { finishedAt: null } }),
  },
  {
    code: 'database.clock',
    name: 'a database whose clock is a minute ahead',
    async plant({ clockFile }) {
      await setDatabaseTime(clockFile, 60_000)
      return { undo: () => setDatabaseTime(clockFile, 0), hasEngine: false }
    },
  },
  {
    code: 'texts.damaged',
    name: 'a bit in a transcript',
    async plant(instance) {
      const [recording] = instance.recordings
      const owner = { ownerId: instance.ownerId, recordingId: recording?.id ?? '' }
      const id = await storeTranscription(instance.server.services.work.queue, owner, { text: 'one line' })
      const _id = toObjectId(id)
      const job = await instance.collection('jobs').findOne({ _id })
      if (!job) throw new Error('The transcript is not stored')
      const result = Buffer.from((job.result as { buffer: Uint8Array }).buffer) // the type that the driver returns
      const index = Math.floor(result.length / 2)
      result[index] = (result[index] ?? 0) ^ 1
      await instance.collection('jobs').updateOne({ _id }, { $set: { result } })
      return { undo: () => instance.collection('jobs').deleteOne({ _id }) }
    },
  },
  {
    code: 'audio.missing',
    name: 'a deleted sound file',
    async plant(instance) {
      const path = soundOf(instance, 0)
      await rename(path, `${path}.away`)
      return { undo: () => rename(`${path}.away`, path) }
    },
  },
  {
    code: 'audio.size',
    name: 'a sound file that was cut short',
    async plant(instance) {
      const planted = await replaceFile(soundOf(instance, 1), (content) => content)
      await truncate(soundOf(instance, 1), 100)
      return planted
    },
  },
  {
    code: 'audio.damaged',
    name: 'a bit in a sound file',
    plant: (instance) => flipBit(soundOf(instance, 2), (length) => Math.floor(length / 2)),
  },
  {
    code: 'audio.orphans',
    name: 'a sound file without a recording',
    async plant({ dataDir }) {
      const name = `${'c'.repeat(24)}.wav`
      const path = join(dataDir, 'audio', 'cc', name)
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, 'sound')
      const at = new Date(Date.now() - 2 * dayMs)
      await utimes(path, at, at)
      return {
        async undo() {
          await rm(path, { force: true })
          await rm(join(dataDir, 'audio', 'orphans'), { recursive: true, force: true })
        },
      }
    },
    isFixable: true,
  },
  {
    code: 'audio.folder',
    name: 'another folder of recordings than the server has',
    plant: ({ dataDir }) => replaceFile(join(dataDir, 'audio', '.store'), () => Buffer.from('another\n')),
  },
  {
    code: 'disk.nearly_full',
    name: 'recordings that fill the disk within days',
    plant: (instance) => changeDocument(instance, 'recordings', { set: { sizeBytes: 1e15 } }),
  },
  {
    code: 'disk.full',
    name: 'a data folder on a small disk',
    needs: ['mount'],
    isForRoot: true,
    async plant() {
      const dataDir = await mkdtemp(join(tmpdir(), 'awaz-doctor-small-'))
      spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', dataDir])
      return {
        config: { dataDir },
        async undo() {
          spawnSync('umount', ['-l', dataDir])
          await rm(dataDir, { recursive: true })
        },
      }
    },
  },
  {
    code: 'accounts.no_super_admin',
    name: 'no active super admin',
    async plant({ collection }) {
      const admins = await collection('users').find({ role: 'super_admin', isActive: true }).toArray()
      const filter = { _id: { $in: admins.map(({ _id }) => _id) } }
      await collection('users').updateMany(filter, { $set: { isActive: false } })
      return { undo: () => collection('users').updateMany(filter, { $set: { isActive: true } }) }
    },
  },
  {
    code: 'library.failed',
    name: 'recordings whose search entries could not be repaired',
    plant: (instance) => addLibraryCheck(instance, { failed: 2, checkedAt: new Date() }),
  },
  {
    code: 'library.unchecked',
    name: 'a nightly check that has not ended for days',
    plant: (instance) => addLibraryCheck(instance, { failed: 0, checkedAt: new Date(Date.now() - 5 * dayMs) }),
  },
]

function addLibraryCheck(instance: DoctorInstance, { failed, checkedAt }: { failed: number; checkedAt: Date }) {
  const repaired = { entries: 0, search: 0, alerts: 0, jobs: 0, hits: 0, cases: 0 }
  const check = { checked_at: checkedAt.toISOString(), recordings: 6, repaired, failed, repaired_ever: 0 }
  return addDocument(instance, 'system_facts', { _id: 'library-check', value: JSON.stringify(check), until: null })
}
