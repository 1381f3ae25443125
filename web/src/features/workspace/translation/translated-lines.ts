import type { TranslatedSegment, TranslationResult } from '#contract/translation.ts'

/** A translated line and its speaker; null where the speakers are not known. */
export type TranslatedLine = TranslatedSegment & { speaker: string | null }

/** Lists the lines of a translation in order of time. */
export function translatedLines({ speaker_translations, segments }: TranslationResult): TranslatedLine[] {
  const spoken = speaker_translations.flatMap(({ speaker, segments }) =>
    segments.map((segment): TranslatedLine => ({ ...segment, speaker })),
  )
  const lines = spoken.length > 0 ? spoken : segments.map((segment): TranslatedLine => ({ ...segment, speaker: null }))
  return lines.toSorted((a, b) => a.start - b.start)
}
