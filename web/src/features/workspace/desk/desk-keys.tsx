import { useShortcuts } from './shortcuts.ts'
import { useDeskActions } from './use-desk-actions.ts'

/** Runs the keyboard shortcuts of the desk; renders nothing. */
export function DeskKeys({ onHelp }: { onHelp: () => void }) {
  useShortcuts(useDeskActions({ onHelp }))
  return null
}
