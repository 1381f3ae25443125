import { TranscriptionLanguageChoice } from '#contract/languages.ts'
import type { RecordingDetails } from '#contract/entities/recording.ts'

/** What the pickers say of a recording's languages, as the calls take it; undefined where the language is none of the product's. */
export function heardLanguages(recording: RecordingDetails, language: string, right: string) {
  const choice = TranscriptionLanguageChoice.safeParse(language)
  if (!choice.success) return undefined
  // Parsed like the left one's; anything else, "same" too, means the left one's.
  const rightChoice = TranscriptionLanguageChoice.safeParse(right)
  const hasOwn = recording.is_stereo && rightChoice.success && rightChoice.data !== choice.data
  return { language: choice.data, ...(hasOwn && { channel_languages: [choice.data, rightChoice.data] }) }
}
