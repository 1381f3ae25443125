import { setTimeout as sleep } from 'node:timers/promises'
import { calculateObjectSize } from 'bson'
import type { DatabaseConnection } from '#data/connect.ts'
import { toObjectId } from '#data/ids.ts'
import { toBytes } from '#data/jobs/packed-json.ts'
import { readBlock } from '#data/search/blocks.ts'
import { soundPrefix } from '#data/search/build-segment.ts'
import type { IndexMaintenance } from '#data/search/maintain-index.ts'
import { readLinesOfRecordings } from '#data/search/stored-lines.ts'

const linesPerRead = 50

/**
 * Returns the size in bytes of an owner's text and of the index documents: the words (blocks and the list of segments), the part of them
 * that holds names by their sound, and the lines.
 */
export async function readSizes(connection: DatabaseConnection, owner: string) {
  const ownerId = toObjectId(owner)
  const sizeOf = async (collection: string, filter: object) => {
    let size = 0
    for await (const document of connection.collection(collection).find(filter)) size += calculateObjectSize(document)
    return size
  }
  const index = await connection.collection<{ segments: object[] }>('search_indexes').findOne({ _id: ownerId })
  return {
    text: await readTextBytes(connection, owner),
    words:
      (await sizeOf('search_blocks', { ownerId })) +
      (await sizeOf('search_indexes', { _id: ownerId })) +
      (await sizeOf('search_entries', { ownerId })),
    names: await readNameBytes(connection, ownerId),
    lines: await sizeOf('search_lines', { ownerId }),
    segments: index?.segments.length ?? 0,
  }
}

async function readNameBytes(connection: DatabaseConnection, ownerId: ReturnType<typeof toObjectId>): Promise<number> {
  let bytes = 0
  const sounds = Buffer.from(soundPrefix('').slice(0, 1))
  const blocks = connection.collection<{ _id: string; data: Uint8Array }>('search_blocks')
  for await (const { _id, data } of blocks.find({ ownerId })) {
    // The size of an entry is the distance from the end of the previous one to its end.
    if (_id.endsWith('.words')) continue
    const all = readPlaces(toBytes(data))
    for (const [index, { word, to }] of all.entries())
      if (Buffer.from(word).subarray(0, sounds.length).equals(sounds)) bytes += to - (all[index - 1]?.to ?? 0)
  }
  return bytes
}

function readPlaces(data: Uint8Array): { word: string; to: number }[] {
  return [...readBlock(data)].map(({ word, to }) => ({ word, to }))
}

async function readTextBytes(connection: DatabaseConnection, owner: string): Promise<number> {
  const found = await connection
    .collection('search_lines')
    .find({ ownerId: toObjectId(owner) }, { projection: { recordingId: 1 } })
    .toArray()
  const ids = found.map(({ recordingId }) => String(recordingId))
  let bytes = 0
  for (let from = 0; from < ids.length; from += linesPerRead) {
    const read = await readLinesOfRecordings(connection, owner, ids.slice(from, from + linesPerRead))
    for (const { text } of read.flatMap(({ lines }) => lines)) bytes += Buffer.byteLength(text)
  }
  return bytes
}

/** Merges until nothing is left to merge and what was replaced is removed, as an engine does within a minute. */
export async function settleIndex(connection: DatabaseConnection, owner: string, maintenance: IndexMaintenance) {
  for (;;) {
    while (await maintenance.runOnce());
    const index = await connection
      .collection<{ garbage: object[] }>('search_indexes')
      .findOne({ _id: toObjectId(owner) }, { projection: { garbage: 1 } })
    if (!index || index.garbage.length === 0) return
    await sleep(1_000)
  }
}
