import type { SpeakerTranslation, TranslatedSegment } from './translation.ts'

/** Stands in a joined text for a segment that could not be translated; the segment's `error` says why. */
const omission = '[…]'

/** What one speaker said, from the translation of each segment. Where all of them failed, the first reason stands for all. */
export function joinSpeakerTranslation(speaker: string, segments: TranslatedSegment[]): SpeakerTranslation {
  const isFailed = segments.length > 0 && segments.every(({ error }) => error !== null)
  return {
    speaker,
    translated_text: isFailed ? '' : joinTranslatedTexts(segments, ' '),
    error: isFailed ? (segments[0]?.error ?? null) : null,
    segments,
  }
}

/** The translations as one text. */
export function joinTranslatedTexts(segments: TranslatedSegment[], separator: string): string {
  return segments.map(shownTranslation).join(separator)
}

/** The translation of a segment, or a mark where it failed. */
export function shownTranslation({ translated_text, error }: TranslatedSegment): string {
  return error === null ? translated_text : omission
}
