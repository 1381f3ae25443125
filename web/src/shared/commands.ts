import { atom } from './jotai.ts'

/** Something the command palette offers. */
export interface PaletteCommand {
  id: string
  label: string
  /** The equivalent keyboard shortcut, as shown to the user. */
  keys?: string
  run: () => void
}

/** What the current page adds to the command palette. */
export interface PageCommands {
  commands: PaletteCommand[]
  /** Moves the playback position, in seconds from the start. */
  goToTime: (seconds: number) => void
}

/** Set by the current page while it is mounted; null if it adds nothing. */
export const pageCommandsAtom = atom<PageCommands | null>(null)
