import { createContext, use } from 'react'
import type { Player } from './use-audio-player.ts'

export const PlayerContext = createContext<Player | null>(null)

/** Returns the player of the recording on screen. Throws outside a workspace. */
export function usePlayer(): Player {
  const player = use(PlayerContext)
  if (!player) throw new Error('There is no player here: render inside PlayerContext')
  return player
}
