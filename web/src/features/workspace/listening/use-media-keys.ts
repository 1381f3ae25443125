import { useEffect, useRef } from 'react'
import { skipSeconds } from '../player/use-audio-player.ts'
import { usePlayer } from '../player/player-context.ts'
import type { ListeningActions } from './listening-actions.ts'

/** Takes the media keys of keyboards and headsets: play, back and forward, and the next speech. */
export function useMediaKeys(actions: ListeningActions): void {
  const player = usePlayer()
  const latest = useRef({ actions, player })
  useEffect(() => {
    latest.current = { actions, player }
  })
  useEffect(() => {
    const { mediaSession } = navigator as { mediaSession?: MediaSession } // not in every browser
    if (!mediaSession) return
    const handlers: [MediaSessionAction, () => void][] = [
      ['play', () => latest.current.player.toggle()],
      ['pause', () => latest.current.player.toggle()],
      ['seekbackward', () => latest.current.actions.backTwo()],
      ['seekforward', () => latest.current.player.skip(skipSeconds)],
      ['previoustrack', () => latest.current.actions.backTwo()],
      ['nexttrack', () => latest.current.actions.nextSpeech()],
    ]
    for (const [action, handle] of handlers) mediaSession.setActionHandler(action, handle)
    return () => {
      for (const [action] of handlers) mediaSession.setActionHandler(action, null)
    }
  }, [])
}
