import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { BSON, MongoClient, ObjectId } from 'mongodb'
import { expect, onTestFinished, test, vi } from 'vitest'
import { readConfig } from '#data/config.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { openCliDatabase } from '../admin/database.ts'
import { run } from './main.ts'
import { restoreBackup } from './restore/restore-backup.ts'
import { listRecords } from './store/backup-record.ts'
import { openRestored, readDatabase } from './testing/instance.ts'

const steps = { onStage: () => undefined, onProgress: () => undefined }
const ids = { whole: new ObjectId(), renamed: new ObjectId(), broken: new ObjectId(), lost: new ObjectId() }

/** Changes a stored document but not its checksum, as a flipped bit on the disk would. */
function damage(dataDir: string, [collection, id]: [string, ObjectId], change: (body: Buffer) => void): void {
  const database = new DatabaseSync(join(dataDir, 'db', 'awaz.sqlite'))
  const { table } = database
    .prepare("SELECT 'documents_' || id AS 'table' FROM collections WHERE name = ?")
    .get(collection) as { table: string }
  const rows = database.prepare(`SELECT row, body, crc FROM ${table}`).all() as {
    row: number
    body: Uint8Array
    crc: number
  }[]
  const found = rows.find(({ body }) => Buffer.from(body).includes(Buffer.from(id.id)))
  if (!found) throw new Error(`There is no ${id.toHexString()} in ${collection}`)
  const body = Buffer.from(found.body)
  change(body)
  database.prepare(`UPDATE ${table} SET body = ? WHERE row = ?`).run(body, found.row)
  // A trigger has removed the checksum.
  database.prepare(`UPDATE ${table} SET crc = ? WHERE row = ?`).run(found.crc, found.row)
  database.close()
}

/** Creates a data folder with a database and a recording whose audio is missing. */
async function makeInstance(): Promise<string> {
  const dataDir = await temporaryFolder()
  await mkdir(join(dataDir, 'secrets'))
  await writeFile(join(dataDir, 'secrets', 'master-key'), `${randomBytes(32).toString('base64')}\n`)
  const { uri, stop } = await openCliDatabase(readConfig({ DATA_DIR: dataDir }), { canCreate: true })
  const client = await new MongoClient(uri).connect()
  const db = client.db('awaz')
  await db.collection('lists').insertMany([
    { _id: ids.whole, name: 'Barbara' },
    { _id: ids.renamed, name: 'Alexandra' },
    { _id: ids.broken, name: 'Bartholomew' },
  ])
  await db.collection('recordings').insertOne({ _id: ids.lost, extension: 'wav', sizeBytes: 5, sha256: 'aa' })
  await client.close()
  await stop()
  return dataDir
}

/** Damages three documents: one stays readable, one is no longer a document, and one loses the location of its recording's audio. */
function damageAll(dataDir: string): void {
  damage(dataDir, ['lists', ids.renamed], (body) => body.writeUInt8(0xc1, body.indexOf('Alexandra'))) // no longer UTF-8
  damage(dataDir, ['lists', ids.broken], (body) => body.writeInt32LE(5))
  damage(dataDir, ['recordings', ids.lost], (body) => body.writeUInt8(0x57, body.indexOf('wav')))
}

/** Runs `awaz backup`, and returns its status and what it printed. */
async function runBackupCommand(...args: string[]) {
  const lines: string[] = []
  for (const method of ['log', 'error'] as const) {
    vi.spyOn(console, method).mockImplementation((line: string) => void lines.push(line))
  }
  const status = await run(args).finally(() => vi.restoreAllMocks())
  return { status, output: lines.join('\n') }
}

test('damaged documents are backed up, restored and named by every command, never with content', async () => {
  const dataDir = await makeInstance()
  vi.stubEnv('DATA_DIR', dataDir)
  vi.stubEnv('BACKUP_UNENCRYPTED', 'true')
  onTestFinished(() => void vi.unstubAllEnvs())
  const folder = await temporaryFolder()
  const names = [`lists ${ids.renamed.toHexString()}`, 'lists row 3', `recordings ${ids.lost.toHexString()}`]

  await runBackupCommand(folder)
  damageAll(dataDir)
  const made = await runBackupCommand(folder, '--prune')
  expect(made.status).toBe(0)
  expect(made.output).toContain('Nothing was deleted: more documents are damaged')
  expect(made.output).toContain(`3 documents are not what was stored, by the checksum: ${names.join(', ')}`)
  const [whole, record] = (await listRecords(folder)).records
  expect(whole).not.toHaveProperty('damagedDocuments')
  // Three as before, and the first backup in the audit trail.
  expect(record).toMatchObject({ documents: 4, damagedDocuments: 3, faultyRecordings: 1 })
  const path = join(folder, record?.archive.name ?? '')
  const listed = await runBackupCommand('list', folder)
  expect([listed.status, listed.output]).toEqual([0, expect.stringContaining('4 documents (3 damaged)')])
  const verified = await runBackupCommand('verify', path)
  const sentence = `3 documents were damaged when it was made: ${names.join(', ')}.`
  expect([verified.status, verified.output]).toEqual([0, expect.stringContaining(sentence)])
  const said = [made, listed, verified].map(({ output }) => output).join()
  for (const content of ['lexandra', 'Bartholomew']) expect(said).not.toContain(content)

  const target = await temporaryFolder()
  const restored = await restoreBackup({ path, dataDir: target, modelsDir: join(target, 'models'), ...steps })
  const file = restored.manifest.damagedDocuments[1]?.file ?? ''
  expect(restored.manifest.damagedDocuments).toEqual([
    { collection: 'lists', id: ids.renamed.toHexString() },
    { collection: 'lists', id: 'row 3', file },
    { collection: 'recordings', id: ids.lost.toHexString() },
  ])
  expect((await readFile(join(target, file.replace('data/', '')))).toString()).toContain('Bartholomew')
  const { lists } = await readDatabase(await openRestored(target))
  const documents = lists?.documents.map((hex) => BSON.deserialize(Buffer.from(hex, 'hex')))
  expect(documents).toEqual([
    { _id: ids.whole, name: 'Barbara' },
    { _id: ids.renamed, name: '\ufffdlexandra' },
  ])
})
