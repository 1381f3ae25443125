import { useState } from 'react'
import type { User } from '#contract/entities/user.ts'

interface Held {
  filterKey: string
  users: ReadonlyMap<string, User>
}

/** At most this many users are acted on at once (the contract's limit). */
export const maxSelected = 200

/** Holds the selected users, across pages. Under a different filter none is selected, so that no hidden user is acted on. */
export function useUserSelection(filterKey: string) {
  const [held, setHeld] = useState<Held>({ filterKey, users: new Map() })
  const users = held.filterKey === filterKey ? held.users : new Map<string, User>()
  return {
    users: [...users.values()],
    has: (id: string) => users.has(id),
    set(changed: readonly User[], isOn: boolean) {
      const next = new Map(users)
      for (const user of changed) {
        if (!isOn) next.delete(user.id)
        else if (next.size < maxSelected) next.set(user.id, user)
      }
      setHeld({ filterKey, users: next })
    },
    /** Keeps only these ids selected. */
    keep: (ids: readonly string[]) =>
      setHeld({ filterKey, users: new Map([...users].filter(([id]) => ids.includes(id))) }),
    clear: () => setHeld({ filterKey, users: new Map() }),
  }
}

export type UserSelection = ReturnType<typeof useUserSelection>
