import { useCallback, useEffect, useMemo, useRef, useState, type RefObject } from 'react'

/** A part of the recording to play, in seconds. */
export interface PlaybackRange {
  start: number
  end: number
  /** Whether the part repeats; otherwise playback stops at its end. */
  isLooped: boolean
  /** The pause before the part is repeated. Default 0. */
  pauseSeconds?: number
}

/** How often to check for the end; the `timeupdate` event, four times a second, comes too late for a line. */
const checkMs = 10

interface RangeOptions {
  element: RefObject<HTMLAudioElement | null>
  isPlaying: boolean
  /** Moves the playback position. */
  moveTo: (seconds: number) => void
  play: () => void
}

/** Plays parts of a recording, stopping at the end or repeating. The functions stay the same while a recording is on screen. */
export function usePlaybackRange({ element, isPlaying, moveTo, play }: RangeOptions) {
  const [range, setRange] = useState<PlaybackRange | null>(null)
  const repeatTimer = useRef<ReturnType<typeof setTimeout>>(undefined)

  const cancelRepeat = useCallback(() => {
    clearTimeout(repeatTimer.current)
    repeatTimer.current = undefined
  }, [])
  const clearRange = useCallback(() => {
    cancelRepeat()
    setRange(null)
  }, [cancelRepeat])
  useEffect(() => cancelRepeat, [cancelRepeat])

  useEffect(() => {
    const audio = element.current
    if (!range || !isPlaying || !audio) return
    const timer = setInterval(() => {
      if (audio.seeking || audio.currentTime < range.end) return
      if (range.isLooped && !range.pauseSeconds) return moveTo(range.start)
      audio.pause()
      if (!range.isLooped) {
        moveTo(range.end)
        setRange(null)
        return
      }
      moveTo(range.start)
      repeatTimer.current = setTimeout(play, (range.pauseSeconds ?? 0) * 1000)
    }, checkMs)
    return () => clearInterval(timer)
  }, [element, isPlaying, moveTo, play, range])

  const playRange = useCallback(
    (next: PlaybackRange) => {
      cancelRepeat()
      setRange(next)
      moveTo(next.start)
      if (element.current?.paused) play()
    },
    [cancelRepeat, element, moveTo, play],
  )

  /** Ends the range if the position is beyond its end; from a position before it, playback runs into the range. */
  const leaveIfBeyond = useCallback(
    (seconds: number) => {
      cancelRepeat()
      setRange((current) => (current && seconds >= current.end ? null : current))
    },
    [cancelRepeat],
  )
  return useMemo(
    () => ({ range, setRange, playRange, clearRange, cancelRepeat, leaveIfBeyond }),
    [range, playRange, clearRange, cancelRepeat, leaveIfBeyond],
  )
}
