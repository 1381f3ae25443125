import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { backUpToFolder } from '../create/create-backup.ts'
import { verifyBackup } from '../read/verify-backup.ts'
import { openServerWith, optionsFor, storeRecording } from '../testing/instance.ts'
import { listRecords } from './backup-record.ts'
import { pruneFolder } from './prune.ts'

const rules = { daily: 1, weekly: 1, monthly: 1 }

const blobNames = async (folder: string) =>
  (await readdir(join(folder, 'blobs'), { recursive: true })).filter((name) => name.includes('/'))

test('pruning deletes old backups and the audio that only they had, and nothing where a record is damaged', async () => {
  const { server, ownerId } = await openServerWith(2)
  const folder = await temporaryFolder()
  const first = await backUpToFolder(folder, optionsFor(server))
  await server.services.work.removeUserWork(ownerId)
  await storeRecording(server, ownerId, Buffer.from('of the second'))
  const second = await backUpToFolder(folder, optionsFor(server))
  expect(await blobNames(folder)).toHaveLength(3)

  const record = first.path.replace(/tar$/, 'json')
  const text = await readFile(record, 'utf8')
  await writeFile(record, text.replace('"documents"', '"Documents"'))
  expect(await pruneFolder(folder, rules)).toMatchObject({ removed: [], problem: expect.stringContaining(record) })
  await writeFile(record, text)

  expect(await pruneFolder(folder, rules)).toMatchObject({ removed: [basename(first.path)] })
  expect(await blobNames(folder)).toHaveLength(1)
  expect((await listRecords(folder)).records).toHaveLength(1)
  expect((await verifyBackup({ path: second.path })).problems).toEqual([])
  await expect(stat(first.path)).rejects.toThrow('ENOENT')
})

test('what was made by hand stays after a daily backup, and prune alone deletes it', async () => {
  const { server } = await openServerWith(1)
  const folder = await temporaryFolder()
  const manual = await backUpToFolder(folder, optionsFor(server))
  const old = await backUpToFolder(folder, { ...optionsFor(server), isRegular: true })
  const daily = await backUpToFolder(folder, { ...optionsFor(server), isRegular: true })
  const names = async () => (await listRecords(folder)).records.map(({ archive }) => archive.name)

  const pruned = await pruneFolder(folder, rules, { keepsManual: true })
  expect(pruned).toMatchObject({ removed: [basename(old.path)] })
  expect(await names()).toEqual([manual, daily].map(({ path }) => basename(path)))
  expect((await verifyBackup({ path: manual.path })).problems).toEqual([])
  expect(await pruneFolder(folder, rules)).toMatchObject({ removed: [basename(manual.path)] })
  expect(await names()).toEqual([basename(daily.path)])
})

test('nothing is deleted while an archive has no record', async () => {
  const { server, ownerId } = await openServerWith(1)
  const folder = await temporaryFolder()
  const first = await backUpToFolder(folder, optionsFor(server))
  await server.services.work.removeUserWork(ownerId)
  await backUpToFolder(folder, optionsFor(server))
  const record = first.path.replace(/tar$/, 'json')
  await rename(record, join(folder, 'elsewhere'))
  const refused = await pruneFolder(folder, rules)
  expect(refused).toMatchObject({ removed: [], problem: expect.stringContaining(`${first.path} has no record`) })
  expect((await verifyBackup({ path: first.path })).problems).toEqual([])
  await rm(first.path)
  expect(await pruneFolder(folder, rules)).toMatchObject({ removed: [] })
  expect(await blobNames(folder)).toEqual([])
})

test('a backup whose record cannot be written leaves no archive', async () => {
  const { server } = await openServerWith(1)
  const folder = await temporaryFolder()
  const options = optionsFor(server)
  const progress = {
    ...options.progress,
    // Puts folders where the record would be written; its name is chosen when this stage begins.
    begin(stage: string) {
      if (!stage.startsWith('Storing')) return
      const nowMs = Date.now()
      for (let ago = 0; ago < 60; ago++) {
        const time = new Date(nowMs - ago * 1000).toISOString().replace(/[-:]|\.\d+/g, '')
        mkdirSync(join(folder, `awaz-${time}.json`))
      }
    },
  }
  await expect(backUpToFolder(folder, { ...options, progress })).rejects.toThrow('EISDIR')
  expect((await readdir(folder)).filter((name) => name.includes('.tar'))).toEqual([])
})

test('a record that names a file outside the folder, or another archive, is damaged, and nothing is deleted', async () => {
  const { server } = await openServerWith(1)
  const parent = await temporaryFolder()
  const folder = join(parent, 'backups')
  const { record } = await backUpToFolder(folder, optionsFor(server))
  const live = join(parent, 'awaz-20200101T000000Z.tar')
  await writeFile(live, 'not a backup')
  const old = join(folder, 'awaz-20200101T000000Z.json')
  for (const name of ['../awaz-20200101T000000Z.tar', record.archive.name]) {
    const forged = { ...record, createdAt: '2020-01-01T00:00:00.000Z', archive: { ...record.archive, name } }
    const sha256 = createHash('sha256').update(JSON.stringify(forged)).digest('hex')
    await writeFile(old, `${JSON.stringify({ ...forged, sha256 }, undefined, 1)}\n`)
    expect(await pruneFolder(folder, rules)).toMatchObject({ removed: [], problem: expect.stringContaining(old) })
  }
  expect(await readFile(live, 'utf8')).toBe('not a backup')
  expect(await readdir(folder)).toContain(record.archive.name)
})
