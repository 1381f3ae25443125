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

/** The translation of a segment; a mark where it failed, with the original where no answer was a translation. */
export function shownTranslation({ text, translated_text, error, not_translated }: TranslatedSegment): string {
  if (error === null) return translated_text
  return not_translated ? markNotTranslated(text) : omission
}

/** The original in the place of its translation, marked as such. */
export function markNotTranslated(text: string): string {
  return `[not translated: ${text}]`
}
