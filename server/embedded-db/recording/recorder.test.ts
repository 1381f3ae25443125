import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../storage/database.ts'
import { createEngine, type Engine } from '../engine.ts'
import { collectionScans, readRecordings } from './recording.ts'
import { outsideSurface } from './surface.ts'
import type { Document } from '../bson/values.ts'

let folder: string
let engine: Engine

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'awaz-recording-'))
  engine = createEngine(openDatabase(':memory:'), { isRecording: true })
  run({ createIndexes: 'items', indexes: [{ key: { a: 1 }, name: 'a_1', sparse: true }] })
  run({ find: 'items', filter: { a: 5 } })
  run({ find: 'items', filter: { a: 6 } })
  run({ find: 'items', filter: { b: { $gt: 'private' } } })
  run({ find: 'items', sort: { b: 1 } })
  run({
    delete: 'items',
    deletes: [
      { q: { a: 1 }, limit: 1 },
      { q: { c: 2 }, limit: 1 },
    ],
  })
  run({ delete: 'items', deletes: [{ q: {}, limit: 0 }] })
  run({ update: 'items', updates: [{ q: { _id: 1 }, u: { $bit: { a: { and: 1 } } } }] })
  run({ aggregate: 'items', pipeline: [{ $lookup: { from: 'x' } }], cursor: {} })
  const others = { $unionWith: { coll: 'items', pipeline: [{ $match: { d: 1 } }] } }
  run({ aggregate: 'items', pipeline: [{ $match: { a: 1 } }, others], cursor: {} })
  run({ mapReduce: 'items' })
  for (const name of ['1.json', '2.json']) await writeFile(join(folder, name), JSON.stringify(engine.recording()))
})

afterAll(() => rm(folder, { recursive: true, force: true }))

function run(command: Document): void {
  engine.run({ ...command, $db: 'test' }, 1)
}

test('queries that scan are found by their shape, statement by statement', async () => {
  const recording = await readRecordings(folder)
  const scans = [
    'find items {"b":{"$gt":"?"}} {}',
    'find items {} {"b":1}',
    'delete items {"c":"?"} {}',
    'aggregate items {"d":"?"} {}',
  ]
  expect(collectionScans(recording)).toEqual(scans)
  expect(collectionScans(recording, ['find items'])).toEqual(scans.slice(2))
  expect(recording.queries.find(({ shape }) => shape === 'find items {"a":"?"} {}')).toMatchObject({
    times: 4,
    timesScanned: 0,
  })
})

test('what the engine does not have is named', async () => {
  expect(outsideSurface(await readRecordings(folder))).toEqual(['mapReduce', 'aggregate $lookup', 'update $bit'])
})
