import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { decode } from './bson/bson-codec.ts'
import { isCursorBatch } from './commands/cursors.ts'
import { openDatabase, type Database } from './storage/database.ts'
import { createEngine, type Engine, type Reply } from './engine.ts'
import { GroupLostError } from './group.ts'
import { findProblems } from './storage/integrity.ts'
import type { Document } from './bson/values.ts'

let folder: string
let database: Database
let engine: Engine

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'awaz-engine-'))
  database = openDatabase(join(folder, 'engine.sqlite'))
  engine = createEngine(database)
})

afterEach(async () => {
  engine.close()
  await rm(folder, { recursive: true, force: true })
})

function run(command: Document): Reply {
  return engine.run({ ...command, $db: 'test' }, 1)
}

function find(collection: string, filter: Document = {}): Document[] {
  const reply = run({ find: collection, filter })
  return isCursorBatch(reply) ? reply.documents.map((body) => decode(body)) : []
}

function catchError(run: () => unknown): unknown {
  try {
    return run()
  } catch (error) {
    return error
  }
}

function insert(collection: string, ...documents: Document[]): Reply {
  return run({ insert: collection, documents })
}

/** Limits the growth of the file in pages, as on a disk that is nearly full. */
function limitGrowth(pages: number | undefined): void {
  const used = Number(Object.values(database.statement('PRAGMA page_count').get() ?? {})[0])
  database.execute(`PRAGMA max_page_count = ${pages === undefined ? 1_000_000 : used + pages}`)
}

describe('a full disk', () => {
  const large = () => Array.from({ length: 50 }, (_, i) => ({ i, text: 'x'.repeat(100_000) }))

  test('refuses the command with a sentence and the others of its group with it', () => {
    insert('kept', { _id: 1 })
    engine.commit()
    limitGrowth(20)
    insert('kept', { _id: 2 })
    // SQLite rolls the whole transaction back here, so no command of the group may be acknowledged.
    const failure = catchError(() => insert('large', ...large()))
    expect(failure).toBeInstanceOf(GroupLostError)
    expect(failure instanceof GroupLostError && failure.reply.toReply()).toMatchObject({ ok: 0, code: 14031 })
    expect(find('kept').map(({ _id }) => _id)).toEqual([1])
    expect(engine.store.catalog.find('test', 'large')).toBeUndefined()
    expect(findProblems(database, engine.store.catalog)).toEqual([])
  })

  test('leaves the engine usable when there is room again', () => {
    insert('small', { _id: 1 })
    engine.commit()
    limitGrowth(5)
    expect(catchError(() => insert('large', ...large()))).toBeInstanceOf(GroupLostError)
    limitGrowth(undefined)
    expect(insert('large', ...large())).toMatchObject({ ok: 1, n: 50 })
    engine.commit()
    expect(find('small')).toEqual([{ _id: 1 }])
    expect(find('large')).toHaveLength(50)
  })
})

describe('a commit that fails', () => {
  test('undoes the group in memory and on disk, and later groups work', () => {
    run({ createIndexes: 'items', indexes: [{ key: { a: 1 }, name: 'a_1' }] })
    insert('items', { _id: 1, a: 1 })
    engine.commit()
    const failing = createEngine(withFailingCommit(database))
    failing.run({ insert: 'items', documents: [{ _id: 2, a: [1, 2] }], $db: 'test' }, 1)
    failing.run({ createIndexes: 'items', indexes: [{ key: { b: 1 }, name: 'b_1' }], $db: 'test' }, 1)
    failing.run({ insert: 'made', documents: [{ _id: 1 }], $db: 'test' }, 1)
    expect(() => failing.commit()).toThrow(GroupLostError)
    const { catalog } = failing.store
    expect(catalog.all().map(({ name }) => name)).toEqual(['items'])
    // The array that made the index multikey was rolled back, so the multikey mark must be too.
    expect(catalog.find('test', 'items')?.indexes.map(({ name, isMultikey }) => [name, isMultikey])).toEqual([
      ['_id_', false],
      ['a_1', false],
    ])
    expect(find('items')).toEqual([{ _id: 1, a: 1 }])
    expect(findProblems(database, catalog)).toEqual([])
  })

  function withFailingCommit(real: Database): Database {
    return {
      ...real,
      get isInTransaction() {
        return real.isInTransaction
      },
      commit() {
        throw new Error('database or disk is full')
      },
    }
  }
})

describe('a command that fails', () => {
  test('leaves no collection and no index behind', () => {
    insert('doubles', { a: 1 }, { a: 1 })
    const indexes = [
      { key: { b: 1 }, name: 'b_1' },
      { key: { a: 1 }, name: 'a_1', unique: true },
    ]
    expect(run({ createIndexes: 'doubles', indexes })).toMatchObject({ ok: 0, codeName: 'DuplicateKey' })
    expect(run({ createIndexes: 'new', indexes: [{ key: { a: 'text' }, name: 't' }] })).toMatchObject({ ok: 0 })
    engine.commit()
    expect(engine.store.catalog.all().map(({ name, indexes: made }) => [name, made.length])).toEqual([['doubles', 1]])
  })

  const unsupported: [string, Document][] = [
    ['a transaction', { find: 'a', startTransaction: true, autocommit: false, txnNumber: 1n }],
    ['a collation', { find: 'a', collation: { locale: 'en', strength: 2 } }],
    ['an unknown option', { find: 'a', tailable: true }],
    ['a text index', { createIndexes: 'a', indexes: [{ key: { t: 'text' }, name: 't' }] }],
    ['an index with a collation', { createIndexes: 'a', indexes: [{ key: { t: 1 }, name: 't', collation: {} }] }],
    ['a capped collection', { create: 'a', capped: true, size: 100 }],
    ['a change stream', { aggregate: 'a', pipeline: [{ $changeStream: {} }], cursor: {} }],
    ['$where', { find: 'a', filter: { $where: '1' } }],
    ['a lookup', { aggregate: 'a', pipeline: [{ $lookup: {} }], cursor: {} }],
    ['a sort by a word', { find: 'a', sort: { b: 'ascending' } }],
    ['an unknown command', { mapReduce: 'a' }],
  ]

  test.each(unsupported)('%s is refused with a code and a sentence', (_, command) => {
    const reply = run(command)
    expect(reply).toMatchObject({ ok: 0, code: expect.any(Number), errmsg: expect.stringMatching(/\w+ \w+/) })
  })
})

test('a data file of a newer format is refused', () => {
  database.execute('PRAGMA user_version = 99')
  expect(() => createEngine(database)).toThrow(/newer version of Awaz \(format 99/)
})

test('hello says that this is no mongod', () => {
  expect(run({ hello: 1 })).toMatchObject({ ok: 1, awazEmbedded: true, maxWireVersion: expect.any(Number) })
})

test('indexes agree with documents after many changes', () => {
  run({
    createIndexes: 'changed',
    indexes: [
      { key: { tags: 1, n: -1 }, name: 'tags' },
      { key: { n: 1 }, name: 'n', sparse: true },
    ],
  })
  insert('changed', ...Array.from({ length: 200 }, (_, i) => ({ _id: i, n: i % 7, tags: [`t${i % 3}`, `t${i % 5}`] })))
  run({
    update: 'changed',
    updates: [{ q: { n: { $gt: 3 } }, u: { $pull: { tags: 't1' }, $unset: { n: 1 } }, multi: true }],
  })
  run({ update: 'changed', updates: [{ q: { tags: 't2' }, u: [{ $set: { n: { $add: ['$n', 1] } } }], multi: true }] })
  run({ delete: 'changed', deletes: [{ q: { n: 2 }, limit: 0 }] })
  engine.commit()
  expect(findProblems(database, engine.store.catalog)).toEqual([])
})
