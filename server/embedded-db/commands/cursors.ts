import { CommandError } from '../errors.ts'

const defaultBatchSize = 101
const maxBatchBytes = 15 * 1024 * 1024
const idleTimeoutMs = 10 * 60_000

/** A reply with encoded documents. */
export interface CursorBatch {
  field: 'firstBatch' | 'nextBatch'
  documents: Uint8Array[]
  /** Zero when the cursor is exhausted. */
  id: bigint
  namespace: string
}

export function isCursorBatch(reply: object): reply is CursorBatch {
  return 'field' in reply && 'namespace' in reply && 'documents' in reply
}

/** A document of a result: its bytes, or a function that reads them and returns undefined if the document has since been removed. */
export type CursorItem = Uint8Array | (() => Uint8Array | undefined)

/** Open cursors; each holds the rest of its result, a large one as positions instead of bytes. */
export interface Cursors {
  open(
    namespace: string,
    documents: CursorItem[],
    options: { batchSize?: number | undefined; isSingle?: boolean },
  ): CursorBatch
  next(id: bigint, namespace: string, batchSize: number | undefined): CursorBatch
  kill(id: bigint): boolean
  /** Closes cursors that have been idle for ten minutes, as MongoDB does. */
  expire(nowMs: number): void
  readonly count: number
}

interface Cursor {
  namespace: string
  rest: CursorItem[]
  usedAtMs: number
}

export function createCursors(): Cursors {
  const cursors = new Map<bigint, Cursor>()
  let lastId = 0n

  return {
    open(namespace, documents, { batchSize = defaultBatchSize, isSingle = false }) {
      const { batch, rest } = split(documents, batchSize)
      const isDone = rest.length === 0 || isSingle
      const id = isDone ? 0n : ++lastId
      if (!isDone) cursors.set(id, { namespace, rest, usedAtMs: Date.now() })
      return { field: 'firstBatch', documents: batch, id, namespace }
    },
    next(id, namespace, batchSize) {
      const cursor = cursors.get(id)
      if (!cursor || cursor.namespace !== namespace)
        throw new CommandError('CursorNotFound', `cursor id ${id} not found`)
      const { batch, rest } = split(cursor.rest, batchSize ?? Number.POSITIVE_INFINITY)
      cursor.rest = rest
      cursor.usedAtMs = Date.now()
      if (rest.length === 0) cursors.delete(id)
      return { field: 'nextBatch', documents: batch, id: rest.length === 0 ? 0n : id, namespace }
    },
    kill: (id) => cursors.delete(id),
    expire(nowMs) {
      for (const [id, cursor] of cursors) if (nowMs - cursor.usedAtMs > idleTimeoutMs) cursors.delete(id)
    },
    get count() {
      return cursors.size
    },
  }
}

/** Takes up to `batchSize` documents that fit in one message, skipping removed ones. A first document that is too large is taken too. */
function split(items: CursorItem[], batchSize: number): { batch: Uint8Array[]; rest: CursorItem[] } {
  const batch: Uint8Array[] = []
  let bytes = 0
  let taken = 0
  for (const item of items) {
    if (batch.length >= batchSize) break
    const document = typeof item === 'function' ? item() : item
    bytes += document?.length ?? 0
    if (document && batch.length > 0 && bytes > maxBatchBytes) break
    if (document) batch.push(document)
    taken++
  }
  return { batch, rest: items.slice(taken) }
}
