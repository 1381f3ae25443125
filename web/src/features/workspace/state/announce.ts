import { atom, useSetAtom } from '../../../shared/jotai.ts'

/** What is announced to screen readers about the last edit. A new object each time, so that a repeated sentence is announced again. */
export const announcementAtom = atom<{ text: string } | null>(null)

/** Returns a function that announces to screen readers what happened. */
export function useAnnounce(): (text: string) => void {
  const setAnnouncement = useSetAtom(announcementAtom)
  return (text) => setAnnouncement({ text })
}
