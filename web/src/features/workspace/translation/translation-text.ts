import type { TranscriptionResult } from '#contract/transcription.ts'
import type { TranslationResult } from '#contract/translation.ts'
import type { DescribeSpeaker } from '../speakers/describe-speaker.ts'
import { formatTurns, hasSpeakerNames } from '../speakers/speaker-turns.ts'
import { translatedLines } from './translated-lines.ts'

/** Returns a translation as a text to copy or keep, turn by turn where the transcript is (`transcriptText`). */
export function translationText(
  translation: TranslationResult,
  transcription: TranscriptionResult | null,
  describe: DescribeSpeaker,
): string {
  const lines = translatedLines(translation)
  const isBySpeaker = transcription !== null && hasSpeakerNames(transcription, describe)
  if (!isBySpeaker || lines.every(({ speaker }) => speaker === null)) return translation.translated_text
  return formatTurns(
    lines.map(({ speaker, translated_text: text, error }) => ({
      speaker: speaker ?? undefined,
      text: error === null ? text : `Error: ${error}`,
    })),
    describe,
  )
}
