import { useState } from 'react'
import { z } from 'zod'
import { recentSearchesPrefix } from '../../shared/recordings/tab-data.ts'
import { useUser } from '../../shared/session/session.ts'

const maxRecent = 8
const RecentSearches = z.array(z.string()).catch([])

/** Returns the user's recent searches in this browser, newest first. */
export function useRecentSearches() {
  const key = recentSearchesPrefix + useUser().id
  const [recent, setRecent] = useState(() => read(key))

  return {
    recent,
    remember(q: string) {
      const text = q.trim()
      if (text === '') return
      const changed = [text, ...read(key).filter((other) => other !== text)].slice(0, maxRecent)
      localStorage.setItem(key, JSON.stringify(changed))
      setRecent(changed)
    },
    clear() {
      localStorage.removeItem(key)
      setRecent([])
    },
  }
}

export type RecentSearchesState = ReturnType<typeof useRecentSearches>

function read(key: string): string[] {
  try {
    return RecentSearches.parse(JSON.parse(localStorage.getItem(key) ?? '[]'))
  } catch {
    return []
  }
}
