import { randomBytes } from 'node:crypto'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { createEngine } from './engine.ts'
import { openDatabase } from './storage/database.ts'

let dataFile: string

beforeEach(async () => {
  dataFile = join(await temporaryFolder(), 'data.sqlite')
})

function openEngine() {
  return createEngine(openDatabase(dataFile))
}

type Engine = ReturnType<typeof openEngine>
const damageOf = (engine: Engine) => (engine.run({ awazFileCheck: 1 }, 1) as { problem?: string }).problem

/** Writes 3,000 documents of 400 bytes, then 64 KB of noise into the middle of the file. */
async function writeDamagedFile(): Promise<void> {
  const engine = openEngine()
  const documents = Array.from({ length: 3000 }, (_, n) => ({ _id: n, text: 'x'.repeat(400) }))
  engine.run({ insert: 'filler', documents, $db: 'awaz' }, 1)
  engine.commit()
  expect(damageOf(engine)).toBeUndefined()
  engine.close()
  await using file = await open(dataFile, 'r+')
  const { size } = await file.stat()
  await file.write(randomBytes(65_536), 0, 65_536, Math.floor(size / 2))
}

test('damage in the middle of the file is found by the check', async () => {
  await writeDamagedFile()
  const engine = openEngine()
  engine.startFileCheck().advance(Number.POSITIVE_INFINITY)
  expect(damageOf(engine)).toMatch(/^Tree \d+ page \d+/)
  engine.close()
})

test('damage that the check has not come to is known once it was read', async () => {
  await writeDamagedFile()
  const engine = openEngine()
  expect(damageOf(engine)).toBeUndefined()
  const reply = engine.run({ aggregate: 'filler', pipeline: [{ $count: 'n' }], cursor: {}, $db: 'awaz' }, 1)
  const all = engine.run({ find: 'filler', filter: { text: 'y' }, $db: 'awaz' }, 1)
  expect([reply, all]).toContainEqual(expect.objectContaining({ ok: 0 }))
  expect(damageOf(engine)).toMatch(/malformed/)
  engine.close()
})
