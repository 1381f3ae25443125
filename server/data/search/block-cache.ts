import type { DatabaseConnection } from '../connect.ts'
import { readBlocks } from './read-blocks.ts'

const maxCacheBytes = 64 * 1024 * 1024

export type BlockCache = ReturnType<typeof createBlockCache>

/** Creates a reader of search index blocks that caches the most recently used ones. */
export function createBlockCache(connection: DatabaseConnection) {
  /** By id, in the order of their last use. */
  const cache = new Map<string, Uint8Array>()
  let size = 0

  /** Returns blocks by their ids, or undefined where one is gone. */
  async function readAll(ownerId: string, ids: string[]): Promise<Map<string, Uint8Array> | undefined> {
    const all = new Map(ids.map((id) => [id, cache.get(`${ownerId}:${id}`)]))
    const read = await readBlocks(
      connection,
      ownerId,
      ids.filter((id) => !all.get(id)),
    )
    const found = new Map<string, Uint8Array>()
    for (const [id, cached] of all) {
      const block = cached ?? copy(read.get(id))
      if (!block) return undefined
      found.set(id, block)
      keep(`${ownerId}:${id}`, block)
    }
    return found
  }

  function keep(key: string, block: Uint8Array): void {
    size += block.length - (cache.get(key)?.length ?? 0)
    cache.delete(key)
    cache.set(key, block)
    for (const [oldest, { length }] of cache) {
      if (size <= maxCacheBytes) return
      cache.delete(oldest)
      size -= length
    }
  }

  return { readAll }
}

/** The driver returns a view of the whole reply, and caching the view would keep the reply in memory. */
function copy(bytes: Uint8Array | undefined): Uint8Array | undefined {
  return bytes && Uint8Array.from(bytes)
}
