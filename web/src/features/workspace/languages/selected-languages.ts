import { defaultTranscriptionLanguage, TranscriptionLanguageChoice } from '#contract/languages.ts'
import type { RecordingDetails } from '#contract/entities/recording.ts'
import type { Segment } from '#contract/transcription.ts'

/** Of the right channel: the same as the left. */
export const sameLanguage = 'same'

/** What the pickers say: a language, `auto` or `multi`; `right` may be the same as the left. */
export interface SelectedLanguages {
  language: string
  right: string
}

/** The pickers' state, as the calls take it; undefined where the language is none of the product's. */
export function toLanguageRequest(recording: RecordingDetails, { language, right }: SelectedLanguages) {
  const choice = TranscriptionLanguageChoice.safeParse(language)
  if (!choice.success) return undefined
  // Parsed like the left one's; anything else, "same" too, means the left one's.
  const rightChoice = TranscriptionLanguageChoice.safeParse(right)
  const hasOwn = recording.is_stereo && rightChoice.success && rightChoice.data !== choice.data
  return { language: choice.data, ...(hasOwn && { channel_languages: [choice.data, rightChoice.data] }) }
}

/** The languages a recording was last transcribed in, for the pickers to begin with. */
export function initialLanguages({ transcription, language }: RecordingDetails): SelectedLanguages {
  const spoken = transcription?.speaker_transcriptions ?? []
  const left = spoken.find(({ channel }) => channel === 0)
  const right = spoken.find(({ channel }) => channel === 1)
  const first = pickedOf(right ? left : transcription) ?? language ?? defaultTranscriptionLanguage
  const second = pickedOf(right)
  return { language: first, right: second && second !== first ? second : sameLanguage }
}

/** Segments have languages of their own where each part's was told. */
function pickedOf(heard: { segments: Segment[]; detected_language: string | null } | null | undefined) {
  if (!heard) return null
  return heard.segments.some((segment) => segment.language) ? 'multi' : heard.detected_language
}

/** The pickers with `multi` for one channel, or for all where none is named; the other channel keeps what it has. */
export function selectPartByPart(
  { language, right }: SelectedLanguages,
  channel: number | undefined,
): SelectedLanguages {
  if (channel === 1) return { language, right: 'multi' }
  return { language: 'multi', right: channel === 0 && right === sameLanguage ? language : right }
}

/** The language of a line that arrives while the recording is transcribed; null where it is not known yet. */
export function partialLineLanguage({ language, channel }: Segment, picked: SelectedLanguages): string | null {
  if (language) return language
  const choice = channel === 1 && picked.right !== sameLanguage ? picked.right : picked.language
  return choice === 'auto' || choice === 'multi' ? null : choice
}
