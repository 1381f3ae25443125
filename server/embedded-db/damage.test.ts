import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
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

function writeFile(): void {
  const engine = openEngine()
  const documents = Array.from({ length: 3000 }, (_, n) => ({ _id: n, text: 'x'.repeat(400) }))
  engine.run({ insert: 'filler', documents, $db: 'awaz' }, 1)
  engine.commit()
  expect(damageOf(engine)).toBeUndefined()
  engine.close()
}

/** Overwrites 64 KB in the middle of the file with invalid pages. */
async function damagePages(): Promise<void> {
  await using file = await open(dataFile, 'r+')
  const { size } = await file.stat()
  await file.write(Buffer.alloc(65_536, 0xff), 0, 65_536, Math.floor(size / 2))
}

/** Changes a document directly in the file, to content that SQLite itself considers valid. */
function changeBody(sql: string): void {
  using file = new DatabaseSync(dataFile)
  file.exec(`UPDATE documents_1 SET body = ${sql} WHERE row = 1500`)
}

test('damage in the middle of the file is found by the check', async () => {
  writeFile()
  await damagePages()
  const engine = openEngine()
  engine.startFileCheck().advance(Number.POSITIVE_INFINITY)
  expect(damageOf(engine)).toMatch(/^Tree \d+ page \d+/)
  engine.close()
})

test.each<[name: string, damage: () => Promise<void> | void]>([
  ['of pages', damagePages],
  ['that cuts a document off', () => changeBody('substr(body, 1, 50)')],
  ['that changes the type of a value', () => changeBody("replace(body, x'027465787400', x'037465787400')")],
  ['that makes a document text', () => changeBody("'text'")],
])('damage %s is known once it was read, before the check comes to it', async (_name, damage) => {
  writeFile()
  await damage()
  const engine = openEngine()
  expect(damageOf(engine)).toBeUndefined()
  const reply = engine.run({ find: 'filler', filter: { text: 'y' }, $db: 'awaz' }, 1)
  expect(reply).toMatchObject({ ok: 0, codeName: 'InternalError' })
  expect(damageOf(engine)).toMatch(/malformed/)
  engine.close()
})
