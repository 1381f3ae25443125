import { useEffect } from 'react'
import { skipSeconds, type Player } from './use-player.ts'

/** Keys of the workspace, for the map of keys too. */
export const playerShortcuts = [
  { keys: 'Space', does: 'Play or pause' },
  { keys: '←', does: 'Back 10 seconds' },
  { keys: '→', does: 'Forward 10 seconds' },
  { keys: 'M', does: 'Mute or unmute' },
  { keys: '/', does: 'Search the transcript' },
  { keys: '?', does: 'Show this map' },
]

/** Whether the focused element has its own use for keys. */
function usesKeys(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.closest(
      'input, textarea, select, button, a, [role="slider"], [role="dialog"], [role="menu"], [role="tab"]',
    ) !== null
  )
}

/** Space plays, arrows skip, / searches, ? shows the keys; nothing of it while a control has the focus. */
export function usePlayerShortcuts(player: Player, show: { search: () => void; help: () => void }): void {
  useEffect(() => {
    const actions: Record<string, () => void> = {
      ' ': player.toggle,
      ArrowLeft: () => player.skip(-skipSeconds),
      ArrowRight: () => player.skip(skipSeconds),
      m: player.toggleMuted,
      '/': show.search,
      '?': show.help,
    }
    function hear(event: KeyboardEvent) {
      if (event.ctrlKey || event.metaKey || event.altKey || usesKeys(event.target)) return
      const action = actions[event.key]
      if (!action) return
      event.preventDefault()
      action()
    }
    document.addEventListener('keydown', hear)
    return () => document.removeEventListener('keydown', hear)
  }, [player, show])
}
