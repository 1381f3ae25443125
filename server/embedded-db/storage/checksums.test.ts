import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, expect, test } from 'vitest'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { createEngine } from '../engine.ts'
import { findCopyProblems } from './check-copy.ts'
import { openDatabase } from './database.ts'

let dataFile: string
beforeEach(async () => {
  dataFile = join(await temporaryFolder(), 'data.sqlite')
})

const openEngine = () => createEngine(openDatabase(dataFile))
type Engine = ReturnType<typeof openEngine>

function insert(engine: Engine, from: number, count: number): void {
  const documents = Array.from({ length: count }, (_, n) => ({ _id: from + n, note: `note ${from + n}` }))
  engine.run({ insert: 'notes', documents, $db: 'awaz' }, 1)
  engine.commit()
}

/** Runs SQL on the closed file, as another program or an earlier version would. */
function execute(sql: string): void {
  const file = new DatabaseSync(dataFile)
  file.exec(sql)
  file.close()
}

async function findProblems(): Promise<string[]> {
  const copy = `${dataFile}.copy`
  await copyFile(dataFile, copy)
  return findCopyProblems(copy, { isThorough: true })
}

function countUnchecked(): number {
  const file = new DatabaseSync(dataFile)
  const row = file.prepare('SELECT count(*) AS n FROM documents_1 WHERE crc IS NULL').get()
  file.close()
  return Number(row?.n)
}

/** Runs what the engine does every minute. */
function sweep(engine: Engine): void {
  engine.startSweep(0).advance(Number.POSITIVE_INFINITY)
  engine.commit()
}

/** Makes a file as an earlier version left it, without checksums. */
function makeEarlierFile(): void {
  const engine = openEngine()
  insert(engine, 0, 150)
  engine.close()
  execute('DROP TRIGGER stale_1; DROP INDEX unchecked_1; ALTER TABLE documents_1 DROP COLUMN crc')
}

test('a changed value of a field without an index is found, and the document is named', async () => {
  const engine = openEngine()
  insert(engine, 0, 10)
  engine.run({ update: 'notes', updates: [{ q: { _id: 3 }, u: { $set: { note: 'edited' } } }], $db: 'awaz' }, 1)
  engine.commit()
  engine.close()
  expect(await findProblems()).toEqual([])
  execute("UPDATE documents_1 SET body = CAST(replace(body, 'note 7', 'nota 7') AS BLOB), crc = crc WHERE row = 8")
  // The trigger mistakes such a change for one by an earlier version, so a wrong checksum is stored again, as on a damaged disk.
  execute('UPDATE documents_1 SET crc = 1 WHERE row = 8')
  expect(await findProblems()).toEqual(['notes: one document is not what was stored, by the checksum (7)'])
})

test('a file of an earlier version opens, and its documents get their checksums', async () => {
  makeEarlierFile()
  const engine = openEngine()
  insert(engine, 150, 1)
  engine.close()
  expect(countUnchecked()).toBe(150)
  expect(await findProblems()).toEqual([])
  const next = openEngine()
  sweep(next)
  next.close()
  expect(countUnchecked()).toBe(0)
  expect(await findProblems()).toEqual([])
})

test('what an earlier version writes in between is no damage, and gets its checksum again', async () => {
  const engine = openEngine()
  insert(engine, 0, 3)
  engine.close()
  execute('UPDATE documents_1 SET body = (SELECT body FROM documents_1 WHERE row = 1) WHERE row = 1')
  expect(countUnchecked()).toBe(0)
  execute("UPDATE documents_1 SET body = CAST(replace(body, 'note 1', 'note X') AS BLOB) WHERE row = 2")
  execute(
    'INSERT INTO documents_1 (body) SELECT body FROM documents_1 WHERE row = 3; DELETE FROM documents_1 WHERE row = 3',
  )
  execute('UPDATE index_1 SET row = 4 WHERE row = 3')
  expect(countUnchecked()).toBe(2)
  expect(await findProblems()).toEqual([])
  const next = openEngine()
  sweep(next)
  next.close()
  expect(countUnchecked()).toBe(0)
  expect(await findProblems()).toEqual([])
})
