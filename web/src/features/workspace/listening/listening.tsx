import { useEffect, useEffectEvent, useMemo, useRef, useCallback, useState, type RefObject } from 'react'
import { Button } from '@mantine/core'
import IconRepeat from '@tabler/icons-react/dist/esm/icons/IconRepeat.mjs'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { t } from '#contract/texts/t.ts'
import { useAtom, useSetAtom, useAtomValue } from '../../../shared/jotai.ts'
import { useDesk } from '../state/desk-context.ts'
import { usePlayer } from '../player/player-context.ts'
import { useHeardTracking } from '../review/use-heard.ts'
import { formatClock, formatClockRange } from '../../../shared/format.ts'
import { skipSeconds } from '../player/use-audio-player.ts'
import { channelSilenceAtom, everythingHeard } from './channel-silence.ts'
import { ListeningMenu } from './listening-menu.tsx'
import { useListeningSettings } from './listening-settings.ts'
import { isUnchanged, soundOf } from './sound.ts'
import { usePedalActions } from './pedals/use-pedal-actions.ts'
import { pointAAtom, useListeningActions } from './use-listening-actions.ts'
import { chordOf } from './chords.ts'
import { chordsOf, listeningActions, type ListeningActions } from './listening-actions.ts'
import { createAudioGraph, type AudioGraph } from './audio-graph.ts'

/** An element can have only one graph in its lifetime. */
const graphs = new WeakMap<HTMLMediaElement, AudioGraph>()

interface GraphOptions {
  element: RefObject<HTMLAudioElement | null>
  channelCount: number
}

/** Handles the media keys of keyboards and headsets: play, back and forward, and next speech. */
function useMediaKeys(actions: ListeningActions): void {
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

/** Layers above the desk keep their keys, except the listening menu, which is used during playback. */
const keyOwners = '[role="dialog"]:not([data-listening]), [role="menu"], [role="listbox"]'

/** Runs the listening actions by key, even while a line is being typed. */
function useListeningKeys(actions: ListeningActions): void {
  const { listening } = useListeningSettings()
  const run = useEffectEvent((event: KeyboardEvent) => {
    // Input methods use keys themselves.
    if (event.defaultPrevented || event.isComposing) return
    const chord = chordOf(event)
    const chords = chordsOf(listening.keys)
    const found = listeningActions.find(({ action }) => chords[action] === chord)
    if (!found || (event.target instanceof Element && event.target.closest(keyOwners))) return
    event.preventDefault()
    actions[found.action]()
  })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => run(event)
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}

/** Shows which part is being repeated, or that point B is still missing, with a button to end it. */
function RepeatMark() {
  const { range, clearRange } = usePlayer()
  const [pointA, setPointA] = useAtom(pointAAtom)
  if (!range?.isLooped && pointA === null) return null
  const text = range?.isLooped ? formatClockRange(range.start, range.end) : `A ${formatClock(pointA ?? 0)}`
  return (
    <Button
      size="compact-xs"
      variant="light"
      flex="none"
      leftSection={<IconRepeat size={14} stroke={1.5} aria-hidden />}
      rightSection={<IconX size={12} stroke={1.75} aria-hidden />}
      aria-label={range?.isLooped ? t('Stop repeating {text}', { text }) : t('Forget the point {text}', { text })}
      onClick={() => (range?.isLooped ? clearRange() : setPointA(null))}
    >
      <bdi dir="ltr">{text}</bdi>
    </Button>
  )
}

/** Everything that changes what is heard: keys, media keys, pedals, the sound itself and its controls. */
export function Listening() {
  const { recording } = useDesk()
  const { element } = usePlayer()
  const { listening } = useListeningSettings()
  const [silence, setSilence] = useAtom(channelSilenceAtom)
  const setPointA = useSetAtom(pointAAtom)
  const actions = useListeningActions()
  const isAvailable = useAudioGraph({ element, channelCount: recording.channels })
  useListeningKeys(actions)
  useMediaKeys(actions)
  usePedalActions(actions)
  useEffect(() => {
    setSilence(everythingHeard)
    setPointA(null)
  }, [setSilence, setPointA])
  const sound = useMemo(() => soundOf(listening, silence, recording.channels), [listening, silence, recording.channels])
  const isChanged = !isUnchanged(sound)
  useHeardTracking(recording.id, isAvailable ? sound.channels.map(({ gain }) => gain) : allChannels(recording.channels))
  return (
    <>
      <ListeningMenu
        actions={actions}
        isStereo={recording.channels > 1}
        isAvailable={isAvailable}
        isChanged={isAvailable && isChanged}
      />
      <RepeatMark />
    </>
  )
}

/** Without a graph, every channel is heard. */
function allChannels(count: number): number[] {
  return Array.from({ length: count }, () => 1)
}

/**
 * Plays an element with the listener's settings. As long as these leave the sound unchanged, the browser plays the file without a graph.
 * No graph is created before the first key press or click, since it would be silent. Returns whether this browser can change the sound.
 */
function useAudioGraph({ element, channelCount }: GraphOptions): boolean {
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
      // Only if the element is really gone, not remounted as in development.
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

/** Returns undefined if the browser refuses; the element then plays as before. */
function tryToCreate(audio: HTMLAudioElement, channelCount: number): AudioGraph | undefined {
  // A graph only gets silence from another origin.
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
