import { createContext, use } from 'react'
import type { LibraryRecording } from '#contract/library.ts'

/** The menu of a recording, and the button that it opens at. */
export interface OpenedMenu {
  recording: LibraryRecording
  button: HTMLElement
}

/** Actions of a row's menu and fields. */
export interface RowActions {
  startRename: (id: string) => void
  endRename: () => void
  editTags: (recording: LibraryRecording) => void
  showHold: (recording: LibraryRecording) => void
  showActivity: (recording: LibraryRecording) => void
  remove: (recording: LibraryRecording) => void
  /** Null closes it. */
  openMenu: (menu: OpenedMenu | null) => void
}

export const RowActionsContext = createContext<RowActions | null>(null)

/** Returns the actions of a row's menu and fields. Throws outside the library list. */
export function useRowActions(): RowActions {
  const actions = use(RowActionsContext)
  if (!actions) throw new Error('This row stands outside the library')
  return actions
}
