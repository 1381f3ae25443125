import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef } from 'react'
import { review } from '#contract/endpoints/review.ts'
import { addHeard, type HeardChannels } from '#contract/heard.ts'
import { call } from '../../../shared/api/client.ts'
import { useUser } from '../../../shared/session/session.ts'
import { usePlayer } from '../player/player-context.ts'
import { heardKey, openHeardOutbox } from './heard-outbox.ts'
import { PlayedSpans } from './played-spans.ts'

const sampleMs = 25
/** How often the display of what was heard is updated during playback. */
const showMs = 2_000
const sendMs = 10_000
/** Sound below this share of full volume counts as inaudible. */
const audibleVolume = 0.01

const nothingHeard: HeardChannels = []

/** Returns what the signed-in user has heard of a recording, including unsent parts. */
export function useHeard(recordingId: string): HeardChannels {
  const client = useQueryClient()
  const { id: userId } = useUser()
  const { data = nothingHeard } = useQuery({
    queryKey: heardKey(recordingId),
    queryFn: async () => {
      const { channels } = await call(review.getHeard, { params: { id: recordingId } })
      return addHeard(channels, openHeardOutbox(client, { userId, recordingId }).getUnsent())
    },
  })
  return data
}

/** Records what is heard of a recording during playback. `channelGains` is the volume of each channel, 0 to 1. */
export function useHeardTracking(recordingId: string, channelGains: readonly number[]): void {
  const client = useQueryClient()
  const { id: userId } = useUser()
  const { element, isPlaying } = usePlayer()
  const outbox = useMemo(() => openHeardOutbox(client, { userId, recordingId }), [client, userId, recordingId])
  const played = useMemo(() => new PlayedSpans(), [])
  const gains = useRef(channelGains)
  useEffect(() => {
    gains.current = channelGains
  })

  const show = useCallback(() => {
    const channels = played.take()
    if (channels) outbox.add(channels)
  }, [played, outbox])

  useEffect(() => {
    const audio = element.current
    if (!isPlaying || !audio) return
    const sample = () =>
      played.add({
        positionMs: audio.currentTime * 1000,
        nowMs: performance.now(),
        speed: audio.playbackRate,
        isAudible: gains.current.map((gain) => !audio.muted && audio.volume * gain >= audibleVolume),
      })
    const interrupt = () => played.interrupt()
    sample()
    audio.addEventListener('seeking', interrupt)
    // Takes a sample before the position moves to the start of the next part.
    audio.addEventListener('pause', sample)
    const sampling = setInterval(sample, sampleMs)
    const showing = setInterval(show, showMs)
    return () => {
      clearInterval(sampling)
      clearInterval(showing)
      audio.removeEventListener('seeking', interrupt)
      audio.removeEventListener('pause', sample)
      interrupt()
      show()
    }
  }, [element, isPlaying, played, show])

  useEffect(() => {
    if (!isPlaying) return void outbox.send()
    const sending = setInterval(() => void outbox.send(), sendMs)
    return () => clearInterval(sending)
  }, [isPlaying, outbox])

  useEffect(() => {
    const send = () => {
      show()
      void outbox.send()
    }
    const onVisibility = () => {
      if (document.visibilityState === 'hidden') send()
    }
    document.addEventListener('visibilitychange', onVisibility)
    window.addEventListener('pagehide', send)
    window.addEventListener('online', send)
    return () => {
      document.removeEventListener('visibilitychange', onVisibility)
      window.removeEventListener('pagehide', send)
      window.removeEventListener('online', send)
      send()
    }
  }, [outbox, show])
}
