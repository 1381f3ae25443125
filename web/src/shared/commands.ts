import { atom } from './jotai.ts'

/** Something the command palette offers. */
export interface PaletteCommand {
  id: string
  label: string
  /** The shortcut that does the same, as it is shown. */
  keys?: string
  run: () => void
}

/** What the page on screen adds to the command palette. */
export interface PageCommands {
  commands: PaletteCommand[]
  /** Moves the playback position, in seconds from the start. */
  goToTime: (seconds: number) => void
}

/** Set by the page on screen while it is mounted; null: it adds nothing. */
export const pageCommandsAtom = atom<PageCommands | null>(null)
