import { isHeard, type ChannelSilence } from './channel-silence.ts'
import type { ListeningSettings } from './listening-settings.ts'

/** The settings that the audio graph applies to a recording. */
export interface Sound {
  /** One entry per channel of the recording. */
  channels: { gain: number; pan: number }[]
  boostDb: number
  isEvened: boolean
  isTelephone: boolean
  isDenoised: boolean
}

/** Returns the settings to play a recording with. */
export function soundOf(listening: ListeningSettings, silence: ChannelSilence, channelCount: number): Sound {
  const { channels, boostDb, isEvened, isTelephone, isDenoised } = listening
  const heard = channels.map(({ volume, pan }, index) => ({ gain: isHeard(silence, index) ? volume : 0, pan }))
  // A recording with one channel has no sides to set and no channels to silence.
  return { channels: channelCount > 1 ? heard : [{ gain: 1, pan: 0 }], boostDb, isEvened, isTelephone, isDenoised }
}

/** Returns whether the sound is the same as in the file, which the browser plays without a graph. */
export function isUnchanged({ channels, boostDb, isEvened, isTelephone, isDenoised }: Sound): boolean {
  const isFiltered = boostDb > 0 || isEvened || isTelephone || isDenoised
  const isMoved = channels.length > 1 && channels.some(({ gain, pan }, index) => gain !== 1 || pan !== (index ? 1 : -1))
  return !isFiltered && !isMoved
}
