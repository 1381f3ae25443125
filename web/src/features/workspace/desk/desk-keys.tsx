import { useEffect, useRef } from 'react'
import { pageCommandsAtom } from '../../../shared/commands.ts'
import { useSetAtom } from '../../../shared/jotai.ts'
import { shortcuts, useShortcuts, type ShortcutAction } from './shortcuts.ts'
import { useDeskActions } from './use-desk-actions.ts'

/** Runs the actions of the desk by keyboard, and offers them in the command palette; renders nothing. */
export function DeskKeys({ onHelp }: { onHelp: () => void }) {
  const { goToTime, ...actions } = useDeskActions({ onHelp })
  useShortcuts(actions)
  usePaletteCommands(actions, goToTime)
  return null
}

function usePaletteCommands(actions: Record<ShortcutAction, () => void>, goToTime: (seconds: number) => void) {
  const setCommands = useSetAtom(pageCommandsAtom)
  const latest = useRef({ actions, goToTime })
  useEffect(() => {
    latest.current = { actions, goToTime }
  })
  useEffect(() => {
    setCommands({
      commands: shortcuts.map(({ action, effect, shown }) => ({
        id: action,
        label: effect,
        keys: shown,
        run: () => latest.current.actions[action](),
      })),
      goToTime: (seconds) => latest.current.goToTime(seconds),
    })
    return () => setCommands(null)
  }, [setCommands])
}
