import { z } from 'zod'

interface Owner {
  userId: string
  /** Id of the recording or transcription that the data belongs to. */
  id: string
}

/**
 * Returns a store for user changes that the server does not have yet, by recording or transcription. It is kept for as long as the tab is
 * open, even if the page is reloaded. `prefix` is one of those in tab-data.ts, which removes the data at sign-out.
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
    /** Returns what is unsent; null if there is nothing. */
    read: ({ userId, id }: Owner): Unsent | null => readAll(userId)[id] ?? null,

    /** Replaces what is unsent, if the storage has room; null if everything has been sent. */
    keep({ userId, id }: Owner, unsent: Unsent | null): void {
      const { [id]: _, ...others } = readAll(userId)
      const kept = unsent === null ? others : { ...others, [id]: unsent }
      try {
        if (Object.keys(kept).length === 0) sessionStorage.removeItem(prefix + userId)
        else sessionStorage.setItem(prefix + userId, JSON.stringify(kept))
      } catch {
        // Full storage must not keep the data from being sent.
      }
    },
  }
}

/** Returns a store like that of `createUnsentStore`, but of lists. */
export function createUnsentList<Item>(prefix: string, schema: z.ZodType<Item>) {
  const store = createUnsentStore(prefix, z.array(schema).min(1))
  const list = (owner: Owner): Item[] => store.read(owner) ?? []
  return {
    list,
    /** Replaces the list with the result of `change`. */
    update(owner: Owner, change: (items: Item[]) => Item[]): void {
      const items = change(list(owner))
      store.keep(owner, items.length === 0 ? null : items)
    },
  }
}
