import type { DatabaseConnection } from '../connect.ts'
import { type IndexBlockEntry, IndexBlockWriter, readBlock } from './blocks.ts'
import { compareWords, nameOfOneWord } from './build-segment.ts'
import { type Posting, readPostings } from './postings.ts'
import { addSegment, beginSegment, blockId, type Segment, writeBlocks, writeFirstWords } from './segments.ts'
import { readBlocks } from './read-blocks.ts'

/** Blocks read at once: about 256 KB. */
const blocksPerRead = 16

/** Reads the words of a segment one by one. */
interface MergeCursor {
  /** The next word; undefined after the last, and until its block has been read. */
  entry: IndexBlockEntry | undefined
  /** Whether `load` must be called before `entry` is known. */
  needsLoad: boolean
  /** Advances to the next word. */
  advance(): void
  load(): Promise<void>
}

function openCursor(connection: DatabaseConnection, ownerId: string, segment: Segment): MergeCursor {
  let nextBlock = 0
  let blocks: Uint8Array[] = []
  let entries: Iterator<IndexBlockEntry, void, undefined> | undefined

  const cursor: MergeCursor = {
    entry: undefined,
    needsLoad: segment.blockCount > 0,
    advance() {
      for (;;) {
        const next = entries?.next()
        cursor.entry = next?.done === false ? next.value : undefined
        if (cursor.entry) return
        const block = blocks.shift()
        entries = block && readBlock(block)[Symbol.iterator]()
        if (entries) continue
        cursor.needsLoad = nextBlock < segment.blockCount
        return
      }
    },
    async load() {
      const count = Math.min(blocksPerRead, segment.blockCount - nextBlock)
      const ids = Array.from({ length: count }, (_, index) => blockId(segment.id, nextBlock + index))
      const found = await readBlocks(connection, ownerId, ids)
      blocks = ids.map((id) => {
        const block = found.get(id)
        if (!block) throw new Error('A block of the search index is missing')
        return block
      })
      nextBlock += count
      cursor.needsLoad = false
      cursor.advance()
    },
  }
  return cursor
}

/** Small, because a search reads one block for each word and segment. */
const targetBytes = 24 * 1024
/** A part of a merge stops after this time or this many blocks, so that other commands are served between parts. */
const maxPartMs = 40
const maxPartBlocks = 24

/** A merge of segments that proceeds part by part. */
export interface Merge {
  ownerId: string
  segmentId: string
  /** Does the next part. Returns false after the last. Throws if a segment is gone because another process is merging too. */
  advance(): Promise<boolean>
}

/**
 * Begins to merge segments of an owner into one, without the postings of some ordinals. The merge is invisible until the last write,
 * which replaces all of them at once.
 */
export async function beginMerge(
  connection: DatabaseConnection,
  ownerId: string,
  { inputs, dead }: { inputs: Segment[]; dead: ReadonlySet<number> },
): Promise<Merge> {
  const { segmentId, clock } = await beginSegment(connection, ownerId)
  const cursors = inputs.map((segment) => openCursor(connection, ownerId, segment))
  const writer = new IndexBlockWriter(targetBytes)
  const removed = { words: new Set<string>(), lastKept: '' }
  const firstWords: string[] = []
  let sizeBytes = 0

  async function advance(): Promise<boolean> {
    const until = performance.now() + maxPartMs
    let isDone = false
    while (!isDone && performance.now() < until && writer.blocks.length < maxPartBlocks) {
      for (const cursor of cursors) while (cursor.needsLoad) await cursor.load()
      isDone = mergeWhileLoaded(cursors, writer, { dead, removed, until })
    }
    if (isDone) writer.finish()
    await writeFinishedBlocks()
    if (!isDone) return true
    await finish()
    return false
  }

  async function writeFinishedBlocks() {
    const { blocks } = writer
    writer.blocks = []
    if (blocks.length === 0) return
    await writeBlocks(connection, { ownerId, segmentId, number: firstWords.length }, blocks)
    firstWords.push(...blocks.map(({ firstWord }) => firstWord))
    sizeBytes += blocks.reduce((sum, { bytes }) => sum + bytes.length, 0)
  }

  async function finish() {
    await writeFirstWords(connection, { ownerId, segmentId }, firstWords)
    const ordinals = inputs.flatMap((segment) => segment.ordinals).filter((ordinal) => !dead.has(ordinal))
    const segment = { id: segmentId, blockCount: firstWords.length, sizeBytes, ordinals }
    const replaced = inputs.map(({ id }) => id)
    // Other segments may have been added since the merge began, so the index is reread.
    const change = { segment: ordinals.length > 0 ? segment : null, replaced }
    await addSegment(connection, ownerId, change, { segmentId, clock })
  }

  return { ownerId, segmentId, advance }
}

/** Words that the merge has left out so far. Names follow all words in a segment: names of left-out words are left out too. */
interface RemovedWords {
  words: Set<string>
  /** The last word written: its postings may come in several parts, some of them empty. */
  lastKept: string
}

/** Merges words until a block must be read, the time is up or enough is written. Returns whether there are no more words. */
function mergeWhileLoaded(
  cursors: MergeCursor[],
  writer: IndexBlockWriter,
  { dead, removed, until }: { dead: ReadonlySet<number>; removed: RemovedWords; until: number },
): boolean {
  for (let count = 1; ; count++) {
    if (cursors.some(({ needsLoad }) => needsLoad)) return false
    const word = lowestWord(cursors)
    if (word === undefined) return true
    const postings: Posting[] = []
    for (const cursor of cursors) {
      while (cursor.entry?.word === word) {
        postings.push(...readPostings(cursor.entry))
        cursor.advance()
      }
    }
    const live = dead.size > 0 ? postings.filter(({ ordinal }) => !dead.has(ordinal)) : postings
    addLive(writer, removed, word, live)
    if (count % 64 === 0 && (performance.now() > until || writer.blocks.length >= maxPartBlocks)) return false
  }
}

function addLive(writer: IndexBlockWriter, removed: RemovedWords, word: string, live: Posting[]): void {
  const name = nameOfOneWord(word)
  if (name !== undefined) {
    if (!removed.words.has(name)) writer.add(word, [])
  } else if (live.length > 0) {
    const inOrder = live.toSorted((a, b) => a.ordinal - b.ordinal)
    writer.add(word, inOrder)
    removed.words.delete(word)
    removed.lastKept = word
  } else if (word !== removed.lastKept) removed.words.add(word)
}

function lowestWord(cursors: MergeCursor[]): string | undefined {
  let lowest: string | undefined
  for (const { entry } of cursors) {
    if (entry && (lowest === undefined || compareWords(entry.word, lowest) < 0)) lowest = entry.word
  }
  return lowest
}
