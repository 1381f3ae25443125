import type { ReactNode } from 'react'
import { PlayerContext } from '../features/workspace/player/player-context.ts'
import type { Player } from '../features/workspace/player/use-audio-player.ts'

/** Creates a paused player that reports seeks. */
export function makePlayer(seek: (seconds: number) => void = () => {}): Player {
  const ignore = () => undefined
  return {
    element: { current: null },
    events: {
      onPlay: ignore,
      onPause: ignore,
      onEnded: ignore,
      onTimeUpdate: ignore,
      onError: ignore,
      onLoadedMetadata: ignore,
    },
    isPlaying: false,
    isSoundMissing: false,
    isMuted: false,
    volume: 1,
    playbackSpeed: 1,
    durationSeconds: 60,
    toggle: ignore,
    seek,
    skip: ignore,
    toggleMuted: ignore,
    setVolume: ignore,
    setPlaybackSpeed: ignore,
    stepPlaybackSpeed: ignore,
    readPosition: () => 0,
    range: null,
    setRange: ignore,
    playRange: ({ start }) => seek(start),
    clearRange: ignore,
  }
}

/** Wraps a part of the workspace with a player. */
export function withPlayer(part: ReactNode, player = makePlayer()) {
  return <PlayerContext value={player}>{part}</PlayerContext>
}
