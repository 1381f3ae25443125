import { atom } from '../../../shared/jotai.ts'

/** Which channels are silent. Kept while a recording is on screen, so that in another one nothing is silent unexpectedly. */
export interface ChannelSilence {
  /** The only channel that is heard; null if none is soloed. */
  solo: number | null
  muted: readonly boolean[]
}

export const everythingHeard: ChannelSilence = { solo: null, muted: [false, false] }

export const channelSilenceAtom = atom(everythingHeard)

/** Returns whether a channel is heard. */
export function isHeard({ solo, muted }: ChannelSilence, channel: number): boolean {
  return solo === null ? !muted[channel] : solo === channel
}

/** Solos a channel, or ends the solo if it already was. */
export function toggleSolo(silence: ChannelSilence, channel: number): ChannelSilence {
  return { ...silence, solo: silence.solo === channel ? null : channel }
}

export function toggleMuted(silence: ChannelSilence, channel: number): ChannelSilence {
  return { ...silence, muted: silence.muted.map((isMuted, index) => (index === channel ? !isMuted : isMuted)) }
}
