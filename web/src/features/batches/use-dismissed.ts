import { z } from 'zod'
import { atomWithStorage, useAtom } from '../../shared/jotai.ts'

const Dismissed = z.array(z.string())
/** More than any user has in the 30 days for which batches are kept. */
const maxKept = 200

const storage = {
  getItem(key: string, initial: string[]): string[] {
    try {
      return Dismissed.safeParse(JSON.parse(localStorage.getItem(key) ?? 'null')).data ?? initial
    } catch {
      return initial
    }
  },
  setItem: (key: string, value: string[]) => localStorage.setItem(key, JSON.stringify(value)),
  removeItem: (key: string) => localStorage.removeItem(key),
}

const dismissedAtom = atomWithStorage<string[]>('awaz_dismissed_batches', [], storage, { getOnInit: true })

/** Returns which ended batches this browser no longer shows. */
export function useDismissed() {
  const [dismissed, setDismissed] = useAtom(dismissedAtom)
  return { dismissed, dismiss: (name: string) => setDismissed((known) => [...known, name].slice(-maxKept)) }
}
