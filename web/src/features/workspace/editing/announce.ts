import { atom, useSetAtom } from '../../../shared/jotai.ts'

/** What screen readers are told about the last edit. A new object for each, so that the same sentence is told twice. */
export const announcementAtom = atom<{ text: string } | null>(null)

/** Returns a function that tells screen readers what happened. */
export function useAnnounce(): (text: string) => void {
  const setAnnouncement = useSetAtom(announcementAtom)
  return (text) => setAnnouncement({ text })
}
