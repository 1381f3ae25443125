import { mergedInto, type SpeakerCorrections } from '#contract/speaker-corrections.ts'
import { displayName, hasSpeakingChannels } from '#contract/speaker-display.ts'
import type { TranscriptionResult } from '#contract/transcription.ts'

/** How to show a speaker. */
export interface SpeakerFacts {
  /** The speaker's label in the transcription, after merges; null if the speaker is unknown. */
  label: string | null
  /** For example `A` for `Speaker A`. */
  letter: string | null
  /** The name a person gave, otherwise the channel's name (audio-workflow specification, section 1), otherwise the label. */
  name: string
  isNameGiven: boolean
  /** Which of the eight hues is the speaker's: `data-voice` in styles.css. */
  hue: number
}

/** Returns how to show a speaker, by label or, if only the channel is known, the channel's main voice. */
export type DescribeSpeaker = (label: string | undefined, channel?: number) => SpeakerFacts

const hueCount = 8
const channelLabels = ['Speaker A', 'Speaker B']

const unknownSpeaker: SpeakerFacts = { label: null, letter: null, name: '', isNameGiven: false, hue: 0 }

/** Creates a function that describes the speakers of a transcription by their given names; null if there is no transcription yet. */
export function createDescriber(
  transcription: Pick<TranscriptionResult, 'segments' | 'speaker_transcriptions'> | null,
  corrections: Pick<SpeakerCorrections, 'names' | 'merged'>,
): DescribeSpeaker {
  const hasChannels = transcription !== null && hasSpeakingChannels(transcription)
  return (label, channel) => {
    const found = label ?? (channel === undefined ? undefined : channelLabels[channel])
    if (found === undefined) return unknownSpeaker
    const current = mergedInto(found, corrections)
    const letter = /^Speaker ([A-Z])$/.exec(current)?.[1] ?? null
    return {
      label: current,
      letter,
      name: displayName(current, { ...corrections, hasChannels: hasChannels || channel !== undefined }),
      isNameGiven: Object.hasOwn(corrections.names, current),
      hue: letter === null ? 0 : (letter.charCodeAt(0) - 'A'.charCodeAt(0)) % hueCount,
    }
  }
}

/** Returns the display name of a label without corrections, for a speaker that was merged into another. */
export function labelName(label: string): string {
  return displayName(label, { names: {}, merged: {}, hasChannels: false })
}
