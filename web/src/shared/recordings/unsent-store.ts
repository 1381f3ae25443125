import { z } from 'zod'

interface Owner {
  userId: string
  /** Of the recording or transcription that it belongs to. */
  id: string
}

/**
 * Returns a store of what a user did and the server does not have, by recording or transcription. It is kept as long as the tab, also when the
 * page is loaded again. `prefix` is one of tab-data.ts, which removes it at the sign-out.
 */
export function createUnsentStore<Unsent>(prefix: string, schema: z.ZodType<Unsent>) {
  const Stored = z.record(z.string(), schema)

  function readAll(userId: string): Record<string, Unsent> {
    try {
      return Stored.parse(JSON.parse(sessionStorage.getItem(prefix + userId) ?? '{}'))
    } catch {
      return {}
    }
  }

  return {
    /** Returns what is unsent; null: nothing. */
    read: ({ userId, id }: Owner): Unsent | null => readAll(userId)[id] ?? null,

    /** Keeps what is unsent in place of what was, where the storage has room; null: all is sent. */
    keep({ userId, id }: Owner, unsent: Unsent | null): void {
      const { [id]: _, ...others } = readAll(userId)
      const kept = unsent === null ? others : { ...others, [id]: unsent }
      try {
        if (Object.keys(kept).length === 0) sessionStorage.removeItem(prefix + userId)
        else sessionStorage.setItem(prefix + userId, JSON.stringify(kept))
      } catch {
        // A full storage must not keep it from being sent.
      }
    },
  }
}

/** Returns a store as `createUnsentStore` does, of lists. */
export function createUnsentList<Item>(prefix: string, schema: z.ZodType<Item>) {
  const store = createUnsentStore(prefix, z.array(schema).min(1))
  const list = (owner: Owner): Item[] => store.read(owner) ?? []
  return {
    list,
    /** Replaces the list by what `change` returns. */
    update(owner: Owner, change: (items: Item[]) => Item[]): void {
      const items = change(list(owner))
      store.keep(owner, items.length === 0 ? null : items)
    },
  }
}
