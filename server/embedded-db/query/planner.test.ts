import { inspect, isDeepStrictEqual } from 'node:util'
import { ObjectId } from 'bson'
import { describe, expect, test } from 'vitest'
import { roundCount } from '#testing/rounds.ts'
import { decode } from '../bson/bson-codec.ts'
import { openCatalog, type Collection } from '../storage/catalog.ts'
import { openDatabase } from '../storage/database.ts'
import { keyFields, sortKey } from '../storage/index-keys.ts'
import { findProblems } from '../storage/integrity.ts'
import { compileFilter } from './match.ts'
import { describePlan, planQuery } from './plan.ts'
import { CommandError } from '../errors.ts'
import { finishSteps } from '../steps.ts'
import { findInSteps, type Query } from './query.ts'
import { openStore, type Store } from '../storage/store.ts'
import type { StoredDocument } from '../storage/scans.ts'
import { updatedBody } from '../update/update.ts'
import type { Document } from '../bson/values.ts'

const casesPerSeed = roundCount(5000)
const queriesPerCollection = 100
const seeds = [
  1,
  20_261_121,
  777_777,
  process.env.AWAZ_FUZZ_SEED ? Number(process.env.AWAZ_FUZZ_SEED) : Date.now() % 2 ** 31,
]

const statementFields = ['a', 'b', 'c', 'd.x', 'd.y', 'e']
const indexes: Document[] = [
  { key: { a: 1 } },
  { key: { b: -1 } },
  { key: { a: 1, b: -1, c: 1 } },
  { key: { 'd.x': 1 } },
  { key: { 'd.x': -1, 'd.y': 1 } },
  { key: { e: 1 }, sparse: true },
  { key: { c: 1, e: 1 }, partialFilterExpression: { c: { $gt: 1 } } },
  { key: { a: -1 }, partialFilterExpression: { e: { $exists: true } } },
  { key: { c: -1, a: -1 } },
]

/** Returns a pseudo-random generator for a seed. */
function createRandom(seed: number) {
  let state = seed
  const fraction = (): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return (state >>> 8) / 0x800000
  }
  const below = (limit: number): number => Math.floor(fraction() * limit)
  const chance = (probability: number): boolean => fraction() < probability
  const list = <T>(length: number, make: () => T): T[] => Array.from({ length }, make)
  const pick = <T>(choices: readonly [T, ...T[]] | T[]): T => choices[below(choices.length)] as T // never empty here
  return { below, chance, list, pick }
}

function createGenerator(seed: number) {
  const random = createRandom(seed)
  const { below, chance, list, pick } = random
  const ids = list(4, () => new ObjectId())
  const big = 2n ** 53n
  const scalar = (): unknown =>
    pick<() => unknown>([
      () => below(6),
      () => below(6) - 2.5,
      () => pick(['a', 'b', 'ab', '', 'z\0q', 'é', '\u{1f600}', '\uffee']),
      () => null,
      () => chance(0.5),
      () => new Date(below(5) * 1000 - 2000),
      () => pick(ids),
      () => pick([1n, 2n, big, big + 1n, -big - 1n]),
    ])()
  const pair = (): Document => ({ x: scalar(), y: scalar() })
  const value = (): unknown => {
    const kind = below(12)
    if (kind < 8) return scalar()
    if (kind < 10) return list(below(4), scalar)
    return kind < 11 ? pair() : list(below(3), pair)
  }
  const document = (): Document => {
    const made: Document = { _id: new ObjectId() }
    for (const field of ['a', 'b', 'c', 'd', 'e']) if (chance(0.8)) made[field] = value()
    return made
  }
  const range = (): Document => ({ [pick(['$gt', '$gte', '$lt', '$lte'])]: scalar() })
  const condition = (): unknown =>
    pick<() => unknown>([
      scalar,
      scalar,
      range,
      () => ({ ...range(), ...range() }),
      () => ({ $in: list(below(4), scalar) }),
      () => ({ $ne: scalar() }),
      () => ({ $exists: chance(0.5) }),
      () => ({ $elemMatch: { $gte: below(4), $lt: 5 } }),
    ])()
  const filter = (depth = 0): Document => {
    const made: Document = {}
    for (let count = below(3) + Math.min(depth, 1); count > 0; count--) made[pick(statementFields)] = condition()
    if (depth < 2 && chance(0.25)) made[pick(['$or', '$and'])] = [filter(depth + 1), filter(depth + 1)]
    return made
  }
  const order = (): Document => {
    const made: Document = {}
    for (let count = below(3); count > 0; count--) made[pick(statementFields)] = pick([1, -1])
    return made
  }
  return { ...random, document, filter, order, value }
}

type Generator = ReturnType<typeof createGenerator>

function fillStore(generate: Generator) {
  const database = openDatabase(':memory:')
  const store = openStore(database, openCatalog(database))
  const collection = store.catalog.ensure('fuzz', 'documents')
  for (const index of indexes) {
    if (generate.chance(0.6)) store.createIndex(collection, { v: 2, name: JSON.stringify(index.key), ...index })
  }
  for (let i = 0; i < 60; i++) unlessParallel(() => store.insert(collection, generate.document()))
  for (let i = 0; i < 30; i++) changeOne(store, collection, generate)
  return { database, store, collection }
}

function changeOne(store: Store, collection: Collection, generate: Generator): void {
  const [stored] = findStored(store, collection, { filter: generate.filter(), limit: 1, variables: {} })
  if (!stored) return
  if (generate.chance(0.3)) return store.remove(collection, stored)
  const update = { $set: { [generate.pick(['a', 'b', 'c', 'e'])]: generate.value() } }
  const body = updatedBody(stored.body, update, { filter: {}, arrayFilters: [], variables: {} })
  if (body) unlessParallel(() => store.replace(collection, stored, body))
}

/** Runs a write, and ignores its refusal of two arrays in one index: nothing has been written by then. */
function unlessParallel(write: () => void): void {
  try {
    write()
  } catch (error) {
    if (!(error instanceof CommandError) || error.codeName !== 'CannotIndexParallelArrays') throw error
  }
}

function findStored(store: Store, collection: Collection, query: Query): StoredDocument[] {
  return finishSteps(findInSteps(store, collection, query)).flatMap(({ row }) => store.read(collection, row) ?? [])
}

/** Compares one query with a full scan and a sort in memory. Returns whether an index was used. */
function checkQuery(store: Store, collection: Collection, generate: Generator): boolean {
  const limit = generate.chance(0.4) ? 1 + generate.below(8) : 0
  const query = { filter: generate.filter(), sort: generate.order(), limit }
  const plan = planQuery(collection, query)
  const matches = compileFilter(query.filter, {})
  const scanned = [...store.scan(collection)].filter(({ body }) => matches(decode(body)))
  const all = findStored(store, collection, { ...query, limit: 0, variables: {} })
  const limited = findStored(store, collection, { ...query, variables: {} })
  const fields = keyFields(query.sort)
  const keys = (stored: StoredDocument[]) => stored.map(({ body }) => sortKey(decode(body), fields).toString('hex'))
  const rows = (stored: StoredDocument[]) => stored.map(({ row }) => row).toSorted((a, b) => a - b)
  const ordered = keys(scanned).toSorted()
  const expected = { rows: rows(scanned), all: ordered, limited: ordered.slice(0, limit || undefined) }
  const actual = { rows: rows(all), all: keys(all), limited: keys(limited) }
  if (!isDeepStrictEqual(actual, expected))
    throw new Error(`${inspect(query, { depth: 9 })} by ${JSON.stringify(describePlan(plan))}`)
  return plan.kind !== 'scan'
}

describe('random queries', () => {
  test.each(seeds)(
    'agree with a full scan through every index (seed %i)',
    { tags: ['rounds'], timeout: 120_000 },
    (seed) => {
      const generate = createGenerator(seed)
      let planned = 0
      for (let done = 0; done < casesPerSeed; done += queriesPerCollection) {
        const { database, store, collection } = fillStore(generate)
        expect(findProblems(database, store.catalog)).toEqual([])
        for (let i = 0; i < queriesPerCollection; i++) if (checkQuery(store, collection, generate)) planned++
        database.close()
      }
      expect(planned).toBeGreaterThan(casesPerSeed / 4)
    },
  )
})
