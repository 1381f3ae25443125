import { useCallback, useEffect, useMemo, useRef, useState, type RefObject } from 'react'
import { useAtomValue } from '../../../shared/jotai.ts'
import { createAudioGraph, type AudioGraph } from './audio-graph.ts'
import { channelSilenceAtom } from './channel-silence.ts'
import { useListeningSettings } from './listening-settings.ts'
import { isUnchanged, soundOf } from './sound.ts'

/** An element takes one graph in its life. */
const graphs = new WeakMap<HTMLMediaElement, AudioGraph>()

interface GraphOptions {
  element: RefObject<HTMLAudioElement | null>
  channelCount: number
}

/**
 * Plays an element as its listener has set it. Until something differs from the file the browser plays it by itself, and no graph is made
 * before the first key or click: what begins without one would be silent. Returns whether the sound can be changed here.
 */
export function useAudioGraph({ element, channelCount }: GraphOptions): boolean {
  const { listening } = useListeningSettings()
  const silence = useAtomValue(channelSilenceAtom)
  const sound = useMemo(() => soundOf(listening, silence, channelCount), [listening, silence, channelCount])
  const latest = useRef(sound)
  const [isAvailable, setIsAvailable] = useState(() => 'AudioContext' in window)

  const change = useCallback(() => {
    const audio = element.current
    if (!audio) return
    let graph = graphs.get(audio)
    if (!graph && !isUnchanged(latest.current) && hasGesture()) {
      graph = tryToCreate(audio, channelCount)
      if (!graph) return setIsAvailable(false)
      graphs.set(audio, graph)
    }
    graph?.apply(latest.current)
    graph?.resume()
  }, [element, channelCount])

  useEffect(() => {
    latest.current = sound
    if (isAvailable) queueMicrotask(change)
  }, [sound, change, isAvailable])

  useEffect(() => {
    const audio = element.current
    if (!audio || !isAvailable) return
    const gestures = ['pointerdown', 'keydown'] as const
    const onGesture = () => {
      if (!graphs.has(audio)) change()
    }
    audio.addEventListener('play', change)
    for (const gesture of gestures) document.addEventListener(gesture, onGesture)
    return () => {
      audio.removeEventListener('play', change)
      for (const gesture of gestures) document.removeEventListener(gesture, onGesture)
      // Left for good, not shown again as in development.
      queueMicrotask(() => {
        if (!audio.isConnected) graphs.get(audio)?.close()
      })
    }
  }, [element, change, isAvailable])

  return isAvailable
}

function hasGesture(): boolean {
  const { userActivation } = navigator as { userActivation?: UserActivation } // younger than some browsers
  return userActivation?.hasBeenActive ?? true
}

/** Undefined where the browser refuses; the element then plays as before. */
function tryToCreate(audio: HTMLAudioElement, channelCount: number): AudioGraph | undefined {
  // A graph gets nothing but silence from another host.
  if (new URL(audio.src, location.href).origin !== location.origin) return undefined
  let context: AudioContext | undefined
  try {
    context = new AudioContext({ latencyHint: 'interactive' })
    return createAudioGraph(context, audio, channelCount)
  } catch {
    void context?.close()
    return undefined
  }
}
