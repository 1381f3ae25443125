import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createEngine, type Engine } from '../engine.ts'
import { openDatabase } from './database.ts'

let folder: string
let dataFile: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'awaz-deleted-'))
  dataFile = join(folder, 'data.sqlite')
})

afterEach(() => rm(folder, { recursive: true, force: true }))

function run(engine: Engine, command: Record<string, unknown>) {
  expect(engine.run({ ...command, $db: 'test' }, 1)).toMatchObject({ ok: 1 })
  engine.commit()
}

function sweep(engine: Engine) {
  engine.startSweep(Date.now()).advance(Number.POSITIVE_INFINITY)
  engine.commit()
  engine.truncateLog()
}

test('a deleted text is erased from the file and its log, and its disk space is freed', async () => {
  const engine = createEngine(openDatabase(dataFile))
  const secret = 'meet me behind the old mill'
  run(engine, {
    insert: 'texts',
    documents: [
      { _id: 1, text: secret },
      { _id: 2, text: 'kept' },
    ],
  })
  run(engine, {
    insert: 'texts',
    documents: Array.from({ length: 20 }, (_, i) => ({ _id: i + 10, text: secret.repeat(40_000) })),
  })
  sweep(engine)
  const before = (await stat(dataFile)).size
  expect(before).toBeGreaterThan(20_000_000)

  run(engine, { update: 'texts', updates: [{ q: { _id: 1 }, u: { $set: { text: 'changed' } } }] })
  run(engine, { delete: 'texts', deletes: [{ q: { _id: { $gte: 10 } }, limit: 0 }] })
  sweep(engine)

  for (const suffix of ['', '-wal']) {
    const bytes = await readFile(dataFile + suffix).catch(() => Buffer.alloc(0))
    expect(bytes.includes(secret)).toBe(false)
  }
  expect((await stat(dataFile)).size).toBeLessThan(before / 5)
  engine.close()
})

test('a file of an earlier version, which cannot shrink, is rewritten with its data', async () => {
  const old = new DatabaseSync(dataFile)
  old.exec('PRAGMA journal_mode = WAL; CREATE TABLE filler (text TEXT)')
  old.close()
  const engine = createEngine(openDatabase(dataFile))
  run(engine, {
    insert: 'texts',
    documents: Array.from({ length: 20 }, (_, _id) => ({ _id, text: 'x'.repeat(1_000_000) })),
  })
  sweep(engine)
  const before = (await stat(dataFile)).size
  run(engine, { delete: 'texts', deletes: [{ q: { _id: { $gt: 0 } }, limit: 0 }] })
  sweep(engine)
  expect((await stat(dataFile)).size).toBeLessThan(before / 5)
  engine.close()
})
