import { useEffect, useEffectEvent, useMemo, useRef } from 'react'
import { Button } from '@mantine/core'
import IconRepeat from '@tabler/icons-react/dist/esm/icons/IconRepeat.mjs'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { t } from '#contract/texts/t.ts'
import { useAtom, useSetAtom } from '../../../shared/jotai.ts'
import { useDesk } from '../state/desk-context.ts'
import { usePlayer } from '../player/player-context.ts'
import { useHeardTracking } from '../review/use-heard.ts'
import { formatClock, formatClockRange } from '../../../shared/format.ts'
import { skipSeconds } from '../player/use-audio-player.ts'
import { channelSilenceAtom, everythingHeard } from './channel-silence.ts'
import { ListeningMenu } from './listening-menu.tsx'
import { useListeningSettings } from './listening-settings.ts'
import { isUnchanged, soundOf } from './sound.ts'
import { useAudioGraph } from './use-audio-graph.ts'
import { usePedalActions } from './pedals/use-pedal-actions.ts'
import { pointAAtom, useListeningActions } from './use-listening-actions.ts'
import { chordOf } from './chords.ts'
import { chordsOf, listeningActions, type ListeningActions } from './listening-actions.ts'

/** Takes the media keys of keyboards and headsets: play, back and forward, and the next speech. */
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

/** Layers above the desk keep their keys; what is heard is set while it plays. */
const keyOwners = '[role="dialog"]:not([data-listening]), [role="menu"], [role="listbox"]'

/** Runs the actions of listening by their keys, also while a line is typed. */
function useListeningKeys(actions: ListeningActions): void {
  const { listening } = useListeningSettings()
  const run = useEffectEvent((event: KeyboardEvent) => {
    // An input method uses keys itself.
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

/** Shows which part is repeated, or that the point B is still to come, and ends it. */
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

/** Without a graph every channel is heard. */
function allChannels(count: number): number[] {
  return Array.from({ length: count }, () => 1)
}
