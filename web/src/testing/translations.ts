import type { StoredTranslation } from '#contract/entities/recording.ts'
import type { TranslatedSegment } from '#contract/translation.ts'

type TranslatedLine = Pick<TranslatedSegment, 'start' | 'end' | 'text' | 'translated_text'> &
  Partial<TranslatedSegment> & { speaker?: string | undefined }

/** Creates a translation from Pashto into English by speaker. */
export function makeTranslation(
  lines: TranslatedLine[],
  overrides: Partial<StoredTranslation> = {},
): StoredTranslation {
  const segments = lines.map(({ start, end, text, translated_text, error = null, ...rest }) => {
    return { speaker: rest.speaker, segment: { start, end, text, translated_text, error } }
  })
  const speakers = [...new Set(segments.flatMap(({ speaker }) => speaker ?? []))]
  const join = (own: typeof segments) => own.map(({ segment }) => segment.translated_text).join('\n')
  return {
    transcription_id: '0123456789abcdef01234567',
    translated_text: join(segments),
    original_text: segments.map(({ segment }) => segment.text).join('\n'),
    source_language: 'ps',
    target_language: 'en',
    num_speakers: speakers.length,
    speaker_translations: speakers.map((speaker) => {
      const own = segments.filter((line) => line.speaker === speaker)
      return { speaker, translated_text: join(own), error: null, segments: own.map(({ segment }) => segment) }
    }),
    segments: segments.map(({ segment }) => segment),
    model: 'test',
    ...overrides,
  }
}
