import { useCallback, useEffect, useMemo, useRef, useState, type RefObject } from 'react'
import { renewSession } from '../../../shared/api/client.ts'
import { readAccessToken } from '../../../shared/api/tokens.ts'
import { atom, useSetAtom } from '../../../shared/jotai.ts'
import { stepSpeed } from '../../../shared/playback-speeds.ts'
import { useSettings } from '../../../shared/settings.ts'
import { usePlaybackRange } from './use-playback-range.ts'

/** The playback position of the recording on screen, in seconds. An atom, so that only what shows the time renders with it. */
export const playerTimeAtom = atom(0)

/** Skip length in seconds (audio-workflow specification, section 9). */
export const skipSeconds = 10

export type Player = ReturnType<typeof useAudioPlayer>

/** Controls the recording's `<audio>` element. `durationSeconds` is the duration measured by the server. */
export function useAudioPlayer(durationSeconds: number) {
  const element = useRef<HTMLAudioElement>(null)
  const [isPlaying, setIsPlaying] = useState(false)
  const [isMuted, setIsMuted] = useState(false)
  const { settings, change } = useSettings()
  const { audio } = settings
  const { volume, playbackSpeed } = audio
  const transport = useTransport(element, durationSeconds)
  const { onTimeUpdate } = transport
  const ranges = usePlaybackRange({ element, isPlaying, moveTo: transport.moveTo, play: transport.play })
  const renewPlaying = useSessionRenewal(element)
  const { isSoundMissing, onError, onLoadedMetadata } = useMissingSound(element, renewPlaying)

  useEffect(() => {
    const audio = element.current
    if (!audio) return
    audio.volume = volume
    audio.muted = isMuted
    audio.playbackRate = playbackSpeed
    audio.preservesPitch = true
  }, [volume, isMuted, playbackSpeed])

  const events = useMemo(() => {
    const stop = () => setIsPlaying(false)
    return { onPlay: () => setIsPlaying(true), onPause: stop, onEnded: stop, onTimeUpdate, onError, onLoadedMetadata }
  }, [onTimeUpdate, onError, onLoadedMetadata])
  const sound = useMemo(
    () => ({
      toggleMuted: () => setIsMuted((muted) => !muted),
      setVolume(next: number) {
        setIsMuted(false)
        change({ audio: { ...audio, volume: next } })
      },
      setPlaybackSpeed: (next: number) => change({ audio: { ...audio, playbackSpeed: next } }),
      stepPlaybackSpeed: (by: 1 | -1) =>
        change({ audio: { ...audio, playbackSpeed: stepSpeed(audio.playbackSpeed, by) } }),
    }),
    [audio, change],
  )
  const { moveTo, readPosition } = transport
  const { cancelRepeat, leaveIfBeyond, range, setRange, playRange, clearRange } = ranges
  const toggle = useCallback(() => {
    cancelRepeat()
    transport.toggle()
  }, [cancelRepeat, transport])
  const seek = useCallback(
    (seconds: number) => {
      leaveIfBeyond(seconds)
      moveTo(seconds)
    },
    [leaveIfBeyond, moveTo],
  )
  const skip = useCallback((seconds: number) => seek(readPosition() + seconds), [seek, readPosition])
  return useMemo(
    () => ({
      element,
      events,
      isPlaying,
      isSoundMissing,
      isMuted,
      volume,
      playbackSpeed,
      durationSeconds,
      toggle,
      seek,
      skip,
      readPosition,
      range,
      setRange,
      playRange,
      clearRange,
      ...sound,
    }),
    [
      events,
      isPlaying,
      isSoundMissing,
      isMuted,
      volume,
      playbackSpeed,
      durationSeconds,
      toggle,
      seek,
      skip,
      readPosition,
      range,
      setRange,
      playRange,
      clearRange,
      sound,
    ],
  )
}

/** Playing and seeking. The functions stay the same while a recording is on screen. */
function useTransport(elementRef: RefObject<HTMLAudioElement | null>, durationSeconds: number) {
  const setTime = useSetAtom(playerTimeAtom)
  /** Valid even before any audio is loaded, when the element's position may still be 0. */
  const position = useRef(0)

  const showTime = useCallback(
    (seconds: number) => {
      position.current = seconds
      setTime(seconds)
    },
    [setTime],
  )

  useEffect(() => showTime(0), [showTime])

  const play = useCallback(() => {
    // A play failure is only logged (audio-workflow specification, section 2).
    elementRef.current?.play().catch((error: unknown) => console.warn('Playing failed', error))
  }, [elementRef])

  const toggle = useCallback(() => {
    const audio = elementRef.current
    if (audio && !audio.paused) audio.pause()
    else play()
  }, [elementRef, play])

  const moveTo = useCallback(
    (seconds: number) => {
      const audio = elementRef.current
      if (!audio) return
      const target = Math.min(Math.max(0, seconds), durationSeconds)
      audio.currentTime = target
      showTime(target)
    },
    [elementRef, durationSeconds, showTime],
  )

  /** Returns the exact position; during playback the position shown is up to 250 ms old. */
  const readPosition = useCallback(() => {
    const audio = elementRef.current
    return audio && !audio.paused ? audio.currentTime : position.current
  }, [elementRef])

  const onTimeUpdate = useCallback(() => showTime(elementRef.current?.currentTime ?? 0), [elementRef, showTime])
  return useMemo(
    () => ({ play, toggle, moveTo, readPosition, onTimeUpdate }),
    [play, toggle, moveTo, readPosition, onTimeUpdate],
  )
}

/**
 * Returns whether the server lacks the recording's sound, which a media error does not tell, and the handlers that find out. Other errors
 * go to `onOtherError`.
 */
function useMissingSound(elementRef: RefObject<HTMLAudioElement | null>, onOtherError: () => void) {
  const [isSoundMissing, setIsSoundMissing] = useState(false)
  const onError = useCallback(() => {
    async function findOut() {
      const audio = elementRef.current
      const address = audio?.getAttribute('src')
      const response = address ? await fetch(address, { method: 'HEAD' }).catch(() => undefined) : undefined
      if (response?.status !== 404) return onOtherError()
      setIsSoundMissing(true)
      // An element that failed does not request the file again until it is reloaded.
      audio?.load()
    }
    void findOut()
  }, [elementRef, onOtherError])
  const onLoadedMetadata = useCallback(() => setIsSoundMissing(false), [])
  return { isSoundMissing, onError, onLoadedMetadata }
}

/** Returns an error handler that renews the audio cookie once, since it may have expired while the page was open. */
function useSessionRenewal(elementRef: RefObject<HTMLAudioElement | null>) {
  const hasRenewed = useRef(false)
  return useCallback(() => {
    async function recover() {
      const token = readAccessToken()
      const audio = elementRef.current
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
    void recover()
  }, [elementRef])
}
