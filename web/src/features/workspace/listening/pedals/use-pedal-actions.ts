import { usePlayer } from '../../player/player-context.ts'
import type { ListeningActions } from '../listening-actions.ts'
import { useListeningSettings } from '../listening-settings.ts'
import { actionOfPedal } from './pedal-actions.ts'
import { usePedalPresses } from './use-pedals.ts'

/** Runs the listening actions from foot pedals that the browser reads directly. */
export function usePedalActions(actions: ListeningActions): void {
  const { listening } = useListeningSettings()
  const player = usePlayer()
  usePedalPresses(({ down, up }) => {
    const holds = (pedal: number) => listening.playsWhileHeld && actionOfPedal(pedal, listening.pedals) === 'playPause'
    for (const pedal of down) {
      if (holds(pedal) && player.isPlaying) continue
      const action = actionOfPedal(pedal, listening.pedals)
      if (action) actions[action]()
    }
    if (up.some(holds) && player.isPlaying) actions.playPause()
  })
}
