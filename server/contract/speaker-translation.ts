import type { SpeakerTranslation, TranslatedSegment } from './translation.ts'

/** Replaces a segment that could not be translated in a joined text; the segment's `error` says why. */
const omission = '[…]'

/** Joins the translations of one speaker's segments. If all of them failed, the first error stands for all. */
export function joinSpeakerTranslation(speaker: string, segments: TranslatedSegment[]): SpeakerTranslation {
  const isFailed = segments.length > 0 && segments.every(({ error }) => error !== null)
  return {
    speaker,
    translated_text: isFailed ? '' : joinTranslatedTexts(segments, ' '),
    error: isFailed ? (segments[0]?.error ?? null) : null,
    segments,
  }
}

/** Joins the translations into one text. */
export function joinTranslatedTexts(segments: TranslatedSegment[], separator: string): string {
  return segments.map(shownTranslation).join(separator)
}

/** Returns the translation of a segment; a mark if it failed, including the original if the model produced no translation. */
export function shownTranslation({ text, translated_text, error, not_translated }: TranslatedSegment): string {
  if (error === null) return translated_text
  return not_translated ? markNotTranslated(text) : omission
}

/** Returns the original in place of its translation, marked as such. */
export function markNotTranslated(text: string): string {
  return `[not translated: ${text}]`
}
