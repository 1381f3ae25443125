import { useEffect, useMemo } from 'react'
import { useAtom, useSetAtom } from '../../../shared/jotai.ts'
import { useDesk } from '../desk/desk-context.ts'
import { usePlayer } from '../player/player-context.ts'
import { useHeardTracking } from '../review/use-heard.ts'
import { channelSilenceAtom, everythingHeard } from './channel-silence.ts'
import { ListeningMenu } from './listening-menu.tsx'
import { useListeningSettings } from './listening-settings.ts'
import { RepeatMark } from './repeat-mark.tsx'
import { isUnchanged, soundOf } from './sound.ts'
import { useAudioGraph } from './use-audio-graph.ts'
import { pointAAtom, useListeningActions } from './use-listening-actions.ts'
import { useListeningKeys } from './use-listening-keys.ts'
import { useMediaKeys } from './use-media-keys.ts'

/** Everything that changes what is heard: keys, media keys, the sound itself and its controls. */
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
