import { defaultTranscriptionLanguage, TranscriptionLanguageChoice } from '#contract/languages.ts'
import type { RecordingDetails } from '#contract/entities/recording.ts'
import type { Segment } from '#contract/transcription.ts'

/** The right channel's value for "the same language as the left". */
export const sameLanguage = 'same'

/** The values of the spoken-language pickers: a language, `auto` or `multi`; for the right channel also `same`. */
export interface SelectedLanguages {
  language: string
  rightLanguage: string
}

/** Returns the selection in the form that requests take; undefined if the product does not support the language. */
export function toLanguageRequest(recording: RecordingDetails, { language, rightLanguage }: SelectedLanguages) {
  const left = TranscriptionLanguageChoice.safeParse(language)
  if (!left.success) return undefined
  // Anything that is not a language, including `same`, means the language of the left channel.
  const right = TranscriptionLanguageChoice.safeParse(rightLanguage)
  const isDifferent = recording.is_stereo && right.success && right.data !== left.data
  return { language: left.data, ...(isDifferent && { channel_languages: [left.data, right.data] }) }
}

/** Returns the languages that the current version was requested in or, if that was not recorded, those it was transcribed in. */
export function initialLanguages({
  transcription,
  transcription_request,
  language,
}: RecordingDetails): SelectedLanguages {
  if (transcription_request) {
    const [left = transcription_request.language, right = left] = transcription_request.channel_languages ?? []
    return { language: left, rightLanguage: right === left ? sameLanguage : right }
  }
  const speakers = transcription?.speaker_transcriptions ?? []
  const left = speakers.find(({ channel }) => channel === 0)
  const right = speakers.find(({ channel }) => channel === 1)
  const first = selectionFor(right ? left : transcription) ?? language ?? defaultTranscriptionLanguage
  const second = selectionFor(right)
  return { language: first, rightLanguage: second && second !== first ? second : sameLanguage }
}

/** Returns the selection that fits a result. Segments have languages only if these were detected part by part. */
function selectionFor(result: { segments: Segment[]; detected_language: string | null } | null | undefined) {
  if (!result) return null
  return result.segments.some((segment) => segment.language) ? 'multi' : result.detected_language
}

/** Returns the selection with `multi` for one of two channels, leaving the other's language, or for the only channel. */
export function selectPartByPart(
  { language, rightLanguage }: SelectedLanguages,
  channel: number | undefined,
): SelectedLanguages {
  if (channel === 1) return { language, rightLanguage: 'multi' }
  return {
    language: 'multi',
    rightLanguage: channel === 0 && rightLanguage === sameLanguage ? language : rightLanguage,
  }
}

/** Returns the language of a line of a running transcription; null if not known yet. */
export function partialLineLanguage({ language, channel }: Segment, selected: SelectedLanguages): string | null {
  if (language) return language
  const isRight = channel === 1 && selected.rightLanguage !== sameLanguage
  const choice = isRight ? selected.rightLanguage : selected.language
  return choice === 'auto' || choice === 'multi' ? null : choice
}
