import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { search as endpoints } from '#contract/endpoints/search.ts'
import { findSearchMarks, parseSearchQuery, type SearchTerm } from '#contract/search-query.ts'
import { newId, toObjectId } from '#data/ids.ts'
import { ensureIndexes } from '#data/indexes.ts'
import { createIndexMaintenance } from '#data/search/maintain-index.ts'
import { searchBlockModel } from '#data/search/search-block-model.ts'
import { searchEntryModel } from '#data/search/search-entry-model.ts'
import { searchIndexModel } from '#data/search/search-index-model.ts'
import { searchLinesModel } from '#data/search/search-lines-model.ts'
import { readIndex } from '#data/search/segments.ts'
import type { StoredLine } from '#data/search/stored-lines.ts'
import { removeSearchEntries, writeSearchEntry } from '#data/search/write-entry.ts'
import { createTestDatabase, hasDatabaseClock, setDatabaseClock, type TestDatabase } from '#testing/database.ts'
import { storeDocument } from '#testing/recordings.ts'
import { createSearch, type SearchService } from './service.ts'

let database: TestDatabase
let service: SearchService
let ownerId: string
/** The expected contents of the index: the lines of each recording. */
let texts: Map<string, string[]>
let clockMs = 0

beforeAll(async () => {
  database = await createTestDatabase()
  await ensureIndexes(database.connection)
  service = createSearch({ connection: database.connection })
})
beforeEach(() => {
  ownerId = newId()
  texts = new Map()
})
afterEach(() => vi.restoreAllMocks())
afterAll(async () => {
  await setDatabaseClock(0)
  await database.drop()
})

const words = ['a', 'ab', 'abc', 'b', 'ba', 'c', 'ca', 'd']
const line = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 7 }).map((list) => list.join(' '))
const lines = fc.array(line, { minLength: 1, maxLength: 6 })

async function store(): Promise<string> {
  return (await storeDocument(database.connection, { ownerId, name: '-' })).id
}

async function write(id: string, text: string[]): Promise<void> {
  const stored = text.map((said, index): StoredLine => {
    return { kind: 'line', start: index, end: index + 1, speaker: null, language: 'en', text: said }
  })
  const entry = { lines: stored, fingerprint: said(text), language: 'en' }
  await writeSearchEntry(database.connection, { ownerId, id }, entry)
  texts.set(id, text)
}

const said = (text: string[]) => text.join('|')

/** Does all the work of an idle engine, as if minutes had passed. */
async function settle(): Promise<void> {
  const maintenance = createIndexMaintenance(database.connection)
  for (let round = 0; round < 3; round++) {
    clockMs += 7 * 3_600_000
    await setDatabaseClock(clockMs)
    while (await maintenance.runOnce());
  }
}

const linesWith = (term: SearchTerm, text: string[]) =>
  text.flatMap((content, index) => (findSearchMarks({ terms: [term] }, content).length > 0 ? [index] : []))

/** Counts the matching lines of each recording by reading all lines. */
function scan(q: string): Map<string, number> {
  const { terms, excluded } = parseSearchQuery(q)
  const counts = [...texts].map(([id, text]) => {
    const removed = new Set(excluded.flatMap((term) => linesWith(term, text)))
    const found = terms.map((term) => linesWith(term, text).filter((index) => !removed.has(index)))
    if (found.some((list) => list.length === 0)) return [id, 0] as const
    const together = found.reduce((a, b) => a.filter((index) => b.includes(index)))
    return [id, together.length || new Set(found.flat()).size] as const
  })
  return new Map(counts.filter(([, count]) => count > 0))
}

async function find(q: string, spelling = 'exact'): Promise<Map<string, number>> {
  const { calls } = await service.find(
    ownerId,
    endpoints.find.query.parse({ q, spelling }),
    new AbortController().signal,
  )
  return new Map(calls.map(({ recording, total }) => [recording.id, total]))
}

const queries = ['a', 'abc', 'a b', '"a b"', '"ab c a"', 'ab*', '"a ab*"', 'd -a', 'b c -"c a"', 'ca d ba']

async function expectAllFound(): Promise<void> {
  for (const q of queries) expect([q, await find(q)]).toEqual([q, scan(q)])
}

async function segmentCount(): Promise<number> {
  return (await readIndex(database.connection, ownerId))?.segments.length ?? 0
}

test('the index finds what reading all lines finds, before and after merges, replacements and deletions', async () => {
  const [first = [], second = []] = fc.sample(fc.array(lines, { minLength: 9, maxLength: 9 }), 2)
  const ids = await Promise.all(first.map(store))
  for (const [index, id] of ids.entries()) await write(id, first[index] ?? [])
  await expectAllFound()
  await settle()
  expect(await segmentCount()).toBe(1)
  await expectAllFound()
  for (const [index, id] of ids.slice(0, 4).entries()) await write(id, second[index] ?? [])
  await expectAllFound()
  const [, , gone = '', alsoGone = ''] = ids
  await removeSearchEntries(database.connection, ownerId, [gone, alsoGone])
  texts.delete(gone)
  texts.delete(alsoGone)
  await expectAllFound()
  await settle()
  await expectAllFound()
})

test.runIf(hasDatabaseClock)('the words of a deleted recording leave the index', async () => {
  const [kept, gone] = [await store(), await store()]
  await write(kept, ['common Kandahar'])
  await write(gone, ['secret common Kandahar Jalalabad'])
  const stored = async () => {
    const blocks = await searchBlockModel(database.connection)
      .find({ ownerId: toObjectId(ownerId) })
      .lean()
    return blocks.map(({ data }) => Buffer.from(data.buffer).toString('latin1')).join()
  }
  expect(await stored()).toMatch(/secret.*jalalabad/su)
  expect((await find('قندهار', 'any')).size).toBe(2)
  await removeSearchEntries(database.connection, ownerId, [gone])
  await settle()
  expect(await stored()).toContain('common')
  expect(await stored()).not.toMatch(/secret|jalalabad/u)
  expect(await find('قندهار', 'any')).toEqual(new Map([[kept, 1]]))
})

/**
 * Makes search index writes fail after the first `count`, as if the process had ended there. Returns a function that removes the mocks and
 * returns whether any write failed.
 */
function failAtWrite(count: number): () => boolean {
  let left = count
  let hasFailed = false
  const { connection } = database
  const models = [searchIndexModel, searchBlockModel, searchEntryModel, searchLinesModel]
  for (const { collection } of models.map((modelOn) => modelOn(connection))) {
    for (const method of ['updateOne', 'insertMany', 'insertOne', 'findOneAndUpdate', 'deleteMany'] as const) {
      const original = collection[method].bind(collection) as (...args: unknown[]) => unknown // their types do not matter here
      vi.spyOn(collection, method).mockImplementation((...args: unknown[]) => {
        if (!hasFailed && left-- === 0) hasFailed = true
        if (hasFailed) throw new Error('the process ended')
        return original(...args) as never // the type that the original returns
      })
    }
  }
  return () => {
    vi.restoreAllMocks()
    return hasFailed
  }
}

test.runIf(hasDatabaseClock)(
  'a process that ends between the writes of a merge changes no result and leaves no blocks',
  async () => {
    const [contents = []] = fc.sample(fc.array(lines, { minLength: 9, maxLength: 9 }), 1)
    for (let writes = 0, isInterrupted = true; isInterrupted; writes++) {
      ownerId = newId()
      texts = new Map()
      for (const content of contents) await write(await store(), content)
      const hasFailed = failAtWrite(writes)
      const maintenance = createIndexMaintenance(database.connection)
      while (await maintenance.runOnce().catch(() => false));
      isInterrupted = hasFailed()
      expect(await find('a')).toEqual(scan('a'))
      await settle()
      expect(await find('a')).toEqual(scan('a'))
      expect(await segmentCount()).toBe(1)
      expect(await searchBlockModel(database.connection).countDocuments({ ownerId: toObjectId(ownerId) })).toBe(1)
    }
  },
)

test.runIf(hasDatabaseClock)(
  'a process that ends while it writes a recording leaves the earlier lines, and then the new ones',
  async () => {
    for (let writes = 0, isInterrupted = true; isInterrupted; writes++) {
      ownerId = newId()
      texts = new Map()
      const id = await store()
      await write(id, ['before a'])
      const hasFailed = failAtWrite(writes)
      await write(id, ['after a']).catch(() => undefined)
      isInterrupted = hasFailed()
      expect((await find('before')).size + (await find('after')).size).toBe(1)
      await write(id, ['after a'])
      await settle()
      expect(await find('after')).toEqual(new Map([[id, 1]]))
      expect(await find('before')).toEqual(new Map())
      expect(await searchBlockModel(database.connection).countDocuments({ ownerId: toObjectId(ownerId) })).toBe(1)
    }
  },
)

test.each([
  ['ab*', 'Too many words begin with “ab”. Please add letters before the asterisk.'],
  ['a b', 'These words are too frequent to be searched together. Please leave some of them out.'],
])('%j is refused with a sentence where it would read too much', async (q, message) => {
  await write(await store(), ['ab a b'])
  const { find: findWithin } = createSearch({ connection: database.connection, maxIndexBytes: 10 })
  const found = findWithin(ownerId, endpoints.find.query.parse({ q }), new AbortController().signal)
  await expect(found).rejects.toMatchObject({ code: 'invalid_input', message })
})

test('an index that is damaged keeps those of other owners from no work', async () => {
  const damaged = ownerId
  for (let count = 0; count < 8; count += 1) await write(await store(), ['a b'])
  await searchBlockModel(database.connection).deleteMany({ ownerId: toObjectId(damaged) })
  ownerId = newId()
  for (let count = 0; count < 8; count += 1) await write(await store(), ['a b'])
  const maintenance = createIndexMaintenance(database.connection)
  for (let count = 0; count < 20; count += 1) await maintenance.runOnce().catch(() => false)
  expect(await segmentCount()).toBe(1)
})
