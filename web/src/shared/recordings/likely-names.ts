import { useState } from 'react'
import { z } from 'zod'
import { likelyNamesKey } from './tab-data.ts'

/** Names likely to occur, by recording. */
const StoredNames = z.record(z.string(), z.array(z.string()))
type StoredNames = z.infer<typeof StoredNames>

/** Returns the names likely to occur in a recording, kept for as long as this tab is open, and a setter. */
export function useLikelyNames(
  recordingId: string,
  initial: string[] = [],
): [names: string[], change: (names: string[]) => void] {
  const [names, setNames] = useState(() => readNames()[recordingId] ?? initial)

  function change(changed: string[]) {
    setNames(changed)
    sessionStorage.setItem(likelyNamesKey, JSON.stringify({ ...readNames(), [recordingId]: changed }))
  }

  return [names, change]
}

function readNames(): StoredNames {
  try {
    return StoredNames.parse(JSON.parse(sessionStorage.getItem(likelyNamesKey) ?? '{}'))
  } catch {
    return {}
  }
}
