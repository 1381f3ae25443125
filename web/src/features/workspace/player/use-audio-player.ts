import { useEffect, useRef, useState } from 'react'
import { renewSession } from '../../../shared/api/client.ts'
import { readAccessToken } from '../../../shared/api/tokens.ts'
import { atom, useSetAtom } from '../../../shared/jotai.ts'
import { useSettings } from '../../../shared/settings.ts'

/** The playback position in seconds of the recording on screen. An atom, so that only what shows the time renders with it. */
export const playerTimeAtom = atom(0)

/** Skip length in seconds (audio-workflow specification, section 9). */
export const skipSeconds = 10

export type Player = ReturnType<typeof useAudioPlayer>

/** Controls the recording's `<audio>` element. `durationSeconds` is as the server measured it. */
export function useAudioPlayer(durationSeconds: number) {
  const element = useRef<HTMLAudioElement>(null)
  const setTime = useSetAtom(playerTimeAtom)
  const { settings, change } = useSettings()
  const [isPlaying, setIsPlaying] = useState(false)
  const [isMuted, setIsMuted] = useState(false)
  const { volume, playbackSpeed } = settings.audio

  useEffect(() => {
    setTime(0)
  }, [setTime])

  useEffect(() => {
    const audio = element.current
    if (!audio) return
    audio.volume = volume
    audio.muted = isMuted
    audio.playbackRate = playbackSpeed
  }, [volume, isMuted, playbackSpeed])

  async function toggle() {
    const audio = element.current
    if (!audio) return
    if (!audio.paused) return audio.pause()
    try {
      await audio.play()
    } catch (error) {
      // A play failure is only logged (audio-workflow specification, section 2).
      console.warn('Playing failed', error)
    }
  }

  function seek(seconds: number) {
    const audio = element.current
    if (!audio) return
    const target = Math.min(Math.max(0, seconds), durationSeconds)
    audio.currentTime = target
    setTime(target)
  }

  const hasRenewed = useRef(false)
  /** Renews the audio cookie, once: it may have expired while the page was open. */
  async function recover() {
    const token = readAccessToken()
    const audio = element.current
    if (hasRenewed.current || !token || !audio) return
    hasRenewed.current = true
    const position = audio.currentTime
    try {
      await renewSession(token)
    } catch {
      return
    }
    audio.load()
    audio.currentTime = position
  }

  const events = {
    onPlay: () => setIsPlaying(true),
    onPause: () => setIsPlaying(false),
    onEnded: () => setIsPlaying(false),
    onTimeUpdate: () => setTime(element.current?.currentTime ?? 0),
    onError: () => void recover(),
  }
  return {
    element,
    events,
    isPlaying,
    isMuted,
    volume,
    playbackSpeed,
    durationSeconds,
    toggle: () => void toggle(),
    seek,
    skip: (seconds: number) => seek((element.current?.currentTime ?? 0) + seconds),
    toggleMuted: () => setIsMuted((muted) => !muted),
    setVolume(next: number) {
      setIsMuted(false)
      change({ audio: { ...settings.audio, volume: next } })
    },
    setPlaybackSpeed: (next: number) => change({ audio: { ...settings.audio, playbackSpeed: next } }),
  }
}
