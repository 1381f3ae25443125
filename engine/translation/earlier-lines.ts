import type { Segment } from '#contract/transcription.ts'
import type { TranslatedSegment, TranslationResult } from '#contract/translation.ts'
import type { RoutedItem } from './translate-by-route.ts'

/** An earlier translation of the same transcript, of which only what failed is done again. */
export interface EarlierTranslation {
  result: TranslationResult
  /** The one line to do again; null for all that failed. */
  line: { start: number; end: number } | null
}

/** Returns what stays of an earlier translation, by speaker and segment; undefined for what is to be done again. */
export function keptLines(
  earlier: EarlierTranslation,
): (speaker: string | null, segment: Segment) => RoutedItem | undefined {
  const { result, line } = earlier
  const known = new Map<string, TranslatedSegment>()
  for (const segment of result.segments) known.set(keyOf(null, segment), segment)
  for (const { speaker, segments } of result.speaker_translations) {
    for (const segment of segments) known.set(keyOf(speaker, segment), segment)
  }
  return (speaker, segment) => {
    const found = known.get(keyOf(speaker, segment)) ?? known.get(keyOf(null, segment))
    const isOther = line !== null && (line.start !== segment.start || line.end !== segment.end)
    return found && (found.error === null || isOther) ? toItem(found) : undefined
  }
}

/** A repaired translation was made by the models of both. */
export function withProvenanceOf({ result: before }: EarlierTranslation, result: TranslationResult): TranslationResult {
  const used = [...(before.provenance ?? []), ...(result.provenance ?? [])]
  return { ...result, model: result.model || before.model, provenance: used.length > 0 ? used : null }
}

function toItem({ translated_text, error, not_translated, via }: TranslatedSegment): RoutedItem {
  const failure = not_translated && { notTranslated: not_translated }
  return { translatedText: translated_text, error, ...failure, ...(via !== undefined && { via }) }
}

function keyOf(speaker: string | null, { start, end, text }: Pick<Segment, 'start' | 'end' | 'text'>): string {
  return JSON.stringify([speaker, start, end, text])
}
