import { useEffect } from 'react'
import { skipSeconds, type Player } from './use-audio-player.ts'

/** The shortcuts of the workspace, as the dialog lists them. */
export const playerShortcuts = [
  { keys: 'Space', effect: 'Play or pause' },
  { keys: '←', effect: 'Back 10 seconds' },
  { keys: '→', effect: 'Forward 10 seconds' },
  { keys: 'M', effect: 'Mute or unmute' },
  { keys: '/', effect: 'Search the transcript' },
  { keys: '?', effect: 'Show this map' },
]

/** Whether the focused element handles keys itself. */
function handlesKeys(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.closest(
      'input, textarea, select, button, a, [role="slider"], [role="dialog"], [role="menu"], [role="tab"]',
    ) !== null
  )
}

/** Space plays, arrows skip, / searches, ? lists the shortcuts; all of them only while no control has the focus. */
export function usePlayerShortcuts(player: Player, actions: { search: () => void; help: () => void }): void {
  useEffect(() => {
    const byKey: Record<string, () => void> = {
      ' ': player.toggle,
      ArrowLeft: () => player.skip(-skipSeconds),
      ArrowRight: () => player.skip(skipSeconds),
      m: player.toggleMuted,
      '/': actions.search,
      '?': actions.help,
    }
    function onKeyDown(event: KeyboardEvent) {
      if (event.ctrlKey || event.metaKey || event.altKey || handlesKeys(event.target)) return
      const action = byKey[event.key]
      if (!action) return
      event.preventDefault()
      action()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [player, actions])
}
