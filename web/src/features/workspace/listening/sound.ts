import { isHeard, type ChannelSilence } from './channel-silence.ts'
import type { ListeningSettings } from './listening-settings.ts'

/** What the audio graph makes of a recording. */
export interface Sound {
  /** One for each channel of the recording. */
  channels: { gain: number; pan: number }[]
  boostDb: number
  isEvened: boolean
  isTelephone: boolean
  isDenoised: boolean
}

/** Returns what to play of a recording. */
export function soundOf(listening: ListeningSettings, silence: ChannelSilence, channelCount: number): Sound {
  const { channels, boostDb, isEvened, isTelephone, isDenoised } = listening
  const heard = channels.map(({ volume, pan }, index) => ({ gain: isHeard(silence, index) ? volume : 0, pan }))
  // A recording of one channel has no sides and no speakers to tell apart.
  return { channels: channelCount > 1 ? heard : [{ gain: 1, pan: 0 }], boostDb, isEvened, isTelephone, isDenoised }
}

/** Returns whether the sound is that of the file, which the browser plays without a graph. */
export function isUnchanged({ channels, boostDb, isEvened, isTelephone, isDenoised }: Sound): boolean {
  const isFiltered = boostDb > 0 || isEvened || isTelephone || isDenoised
  const isMoved = channels.length > 1 && channels.some(({ gain, pan }, index) => gain !== 1 || pan !== (index ? 1 : -1))
  return !isFiltered && !isMoved
}
