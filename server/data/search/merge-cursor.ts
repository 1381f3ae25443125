import type { DatabaseConnection } from '../connect.ts'
import { readBlock, type IndexBlockEntry } from './blocks.ts'
import { readBlocks } from './read-blocks.ts'
import { blockId, type Segment } from './segments.ts'

/** Blocks that are read at once: about 256 KB. */
const blocksPerRead = 16

/** Reads the words of a segment one after the other. */
export interface MergeCursor {
  /** The next word; undefined after the last, and while its block is not read. */
  entry: IndexBlockEntry | undefined
  /** Whether `load` has to be called before `entry` is known. */
  needsLoad: boolean
  /** Advances to the next word. */
  advance(): void
  load(): Promise<void>
}

export function openCursor(connection: DatabaseConnection, ownerId: string, segment: Segment): MergeCursor {
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
