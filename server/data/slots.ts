import type { Model, QueryFilter, Schema, Types } from 'mongoose'
import type { AppError } from '#contract/app-error.ts'
import { createKeyedMutex, type KeyedMutex } from './keyed-mutex.ts'
import { inChunks } from './library/in-chunks.ts'
import { isDuplicateKey } from './model.ts'

/** A document that takes one of a limited number of slots. */
export interface SlottedDocument {
  _id: Types.ObjectId
  /** From 0; missing in documents of earlier versions, which get one before another document is added. */
  slot?: number
}

/** A failed round was lost to another server, which has made progress: this many in a row indicate a fault. */
const maxRounds = 100

/** A maximum, and the documents that share it. */
export interface SlotLimit<Doc extends SlottedDocument> {
  model: Model<Doc>
  /** Equality on the fields given to `addSlots`. */
  scope: QueryFilter<Doc>
  /** Which of these count, where documents give up their slots without being deleted. Default: all. */
  counted?: QueryFilter<Doc>
  max: number
  /** Returns the error to throw when all slots are taken. */
  fullError: () => AppError
}

/**
 * Adds slots to the documents of a schema: no two documents with equal `fields` share one. A limit then holds whatever is written
 * concurrently, because the write that takes a slot is the one that stores the document (docs/decisions/limits.md).
 */
export function addSlots<Doc extends SlottedDocument>(schema: Schema<Doc>, fields: string[]): void {
  schema.index(
    { ...Object.fromEntries(fields.map((field) => [field, 1 as const])), slot: 1 },
    { unique: true, partialFilterExpression: { slot: { $exists: true } } },
  )
}

/** One per connection, keyed by collection and scope: simultaneous calls would all read the same slots, and most would fail. */
const turns = new WeakMap<object, KeyedMutex>()

function inTurn<Doc extends SlottedDocument, Result>(
  { model, scope }: SlotLimit<Doc>,
  task: () => Promise<Result>,
): Promise<Result> {
  const runExclusive = turns.get(model.db) ?? createKeyedMutex()
  turns.set(model.db, runExclusive)
  return runExclusive(`${model.collection.name} ${JSON.stringify(scope)}`, task)
}

/**
 * Calls `insert`, which stores one document in the given slot, and returns its result. If another request takes the slot first, `insert`
 * is called again with another slot. Throws the limit's error where no slot is free.
 */
export async function insertInSlot<Doc extends SlottedDocument, Result>(
  limit: SlotLimit<Doc>,
  insert: (slot: number) => Promise<Result>,
): Promise<Result> {
  return inTurn(limit, async () => {
    for (let round = 1; round <= maxRounds; round += 1) {
      const [slot] = await findFreeSlots(limit, 1)
      if (slot === undefined) throw limit.fullError()
      try {
        return await insert(slot)
      } catch (error) {
        if (!isDuplicateKey(error, 'slot')) throw error
      }
    }
    throw noProgressError(limit)
  })
}

interface ManyInSlots<Item> {
  /** Returns the items that are not stored yet. */
  listMissing: () => Promise<Item[]>
  /** Stores each item in its slot, leaving out those whose slot or key has been taken. */
  insert: (items: { item: Item; slot: number }[]) => Promise<void>
}

/**
 * Stores many documents, repeating until none is missing. Throws the limit's error where there is no room for all of them: then nothing
 * is stored, or only part if another request took the room in the meantime.
 */
export async function insertManyInSlots<Doc extends SlottedDocument, Item>(
  limit: SlotLimit<Doc>,
  { listMissing, insert }: ManyInSlots<Item>,
): Promise<void> {
  return inTurn(limit, async () => {
    for (let round = 1; round <= maxRounds; round += 1) {
      const missing = await listMissing()
      if (missing.length === 0) return
      const slots = await findFreeSlots(limit, missing.length)
      if (slots.length < missing.length) throw limit.fullError()
      await insert(slots.flatMap((slot, index) => missing.slice(index, index + 1).map((item) => ({ item, slot }))))
    }
    throw noProgressError(limit)
  })
}

/**
 * Returns up to `count` free slots in random order, so that simultaneous inserts rarely choose the same one. First gives slots to
 * documents of earlier versions: none counts as free unless these fit.
 */
export async function findFreeSlots<Doc extends SlottedDocument>(
  limit: SlotLimit<Doc>,
  count: number,
): Promise<number[]> {
  const { model, scope, counted, max } = limit
  if (counted) await releaseUncounted({ model, scope, counted })
  for (let round = 1; round <= maxRounds; round += 1) {
    const stored = await model.find({ ...scope, ...counted }, { slot: 1 }).lean<SlottedDocument[]>()
    const isPlaced = ({ slot }: SlottedDocument) => slot !== undefined && slot < max
    const taken = new Set(stored.filter(isPlaced).map(({ slot }) => slot))
    const free = shuffle(Array.from({ length: max }, (_, slot) => slot).filter((slot) => !taken.has(slot)))
    const unplaced = stored.filter((document) => !isPlaced(document))
    if (unplaced.length >= free.length) return []
    if (unplaced.length === 0) return free.slice(0, count)
    await placeAll({ model, scope: { ...scope, ...counted } }, unplaced, free)
  }
  throw noProgressError(limit)
}

/** Takes slots away from documents that do not count: an earlier version, or a crash, may have left them there. */
async function releaseUncounted<Doc extends SlottedDocument>({
  model,
  scope,
  counted,
}: Required<Pick<SlotLimit<Doc>, 'model' | 'scope' | 'counted'>>): Promise<void> {
  const uncounted = { ...scope, slot: { $exists: true }, $nor: [counted] }
  await model.updateMany(uncounted as QueryFilter<Doc>, { $unset: { slot: 1 } }) // a slotted document has these fields
}

/** Gives documents slots; documents that lose a race get one in the next round. */
async function placeAll<Doc extends SlottedDocument>(
  { model, scope }: Pick<SlotLimit<Doc>, 'model' | 'scope'>,
  documents: SlottedDocument[],
  free: number[],
): Promise<void> {
  const updates = documents.map(({ _id, slot = null }, index) => ({
    updateOne: { filter: { ...scope, _id, slot }, update: { $set: { slot: free[index] } } },
  }))
  // A slotted document has these fields, among others.
  const operations = updates as Parameters<typeof model.collection.bulkWrite>[0]
  await inChunks(operations, (chunk) => ignoreTaken(model.collection.bulkWrite(chunk, { ordered: false })))
}

function noProgressError<Doc extends SlottedDocument>({ model }: Pick<SlotLimit<Doc>, 'model'>): Error {
  return new Error(`No slot of ${model.collection.name} could be taken in ${maxRounds} attempts`)
}

/** Awaits a bulk write, ignoring documents left out because their slot or key was taken. */
export async function ignoreTaken(write: Promise<unknown>): Promise<void> {
  try {
    await write
  } catch (error) {
    if (!isDuplicateKey(error)) throw error
  }
}

function shuffle(slots: number[]): number[] {
  const ranked = slots.map((slot) => ({ slot, rank: Math.random() }))
  return ranked.toSorted((a, b) => a.rank - b.rank).map(({ slot }) => slot)
}
