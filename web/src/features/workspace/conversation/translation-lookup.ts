import type { StoredTranslation } from '#contract/entities/recording.ts'
import { matchTranslations } from '#contract/match-translation.ts'
import type { Segment, TranscriptionResult } from '#contract/transcription.ts'
import type { TranslatedSegment } from '#contract/translation.ts'

interface FoundTranslation {
  translated: TranslatedSegment | null
  /** It was made of another text or of another version. */
  isStale: boolean
}

/** Returns the translation of each line; the error of its speaker where that one could not be translated at all. */
export function lookUpTranslations(
  segments: Segment[],
  translation: StoredTranslation | null,
  transcription: TranscriptionResult | null,
): FoundTranslation[] {
  const failures = new Map(
    translation?.speaker_translations.map(({ speaker, error, segments }) => [
      speaker,
      segments.length === 0 ? error : null,
    ]),
  )
  const versionId = translation?.transcription_id ?? null
  const isOfOtherVersion = versionId !== null && versionId !== transcription?.transcription_id
  return matchTranslations(segments, translation).map((match, index) => {
    if (match) return { translated: match.translated, isStale: match.isStale || isOfOtherVersion }
    const segment = segments[index]
    const error = failures.get(segment?.speaker ?? '') ?? null
    return { translated: segment && error !== null ? toFailed(segment, error) : null, isStale: false }
  })
}

function toFailed({ start, end, text }: Segment, error: string): TranslatedSegment {
  return { start, end, text, translated_text: '', error }
}
