import type { Segment, TranscriptionResult } from '#contract/transcription.ts'

/** How a speaker is shown: letter A or B by channel, and the channel's name (audio-workflow specification, section 1). */
export interface SpeakerFacts {
  letter: 'A' | 'B' | null
  name: string
}

/** A speaker by channel; where no channel is known, by the name alone. */
export function describeSpeaker(channel: number | undefined, name: string): SpeakerFacts {
  if (channel === 0) return { letter: 'A', name: 'Left Channel' }
  if (channel === 1) return { letter: 'B', name: 'Right Channel' }
  return { letter: null, name }
}

/** The channel a speaker's name stands for in a transcription. */
export function channelOf(transcription: TranscriptionResult | null, speaker: string): number | undefined {
  return transcription?.speaker_transcriptions.find((entry) => entry.speaker === speaker)?.channel
}

/** Index of the segment spoken at `seconds`; the latest begun wins where speakers overlap. -1 in silence. */
export function segmentAt(segments: readonly Pick<Segment, 'start' | 'end'>[], seconds: number): number {
  return segments.findLastIndex(({ start, end }) => start <= seconds && seconds < end)
}
