import { isDeepStrictEqual } from 'node:util'
import type { ModelProvenance } from '#contract/provenance.ts'
import type { Segment } from '#contract/transcription.ts'
import type { TranslatedSegment, TranslationResult } from '#contract/translation.ts'
import type { RoutedTranslation } from './translate-by-route.ts'

/** An earlier translation of the same transcript, of which only the failed lines are translated again. */
export interface EarlierTranslation {
  result: TranslationResult
  /** The one line to translate again; null for all that failed. */
  line: { start: number; end: number } | null
}

/** Returns a lookup of the lines to keep, by speaker and segment; it returns undefined for a line to translate again. */
export function createKeptLineLookup(
  earlier: EarlierTranslation,
): (speaker: string | null, segment: Segment) => RoutedTranslation | undefined {
  const { result, line } = earlier
  const known = new Map<string, TranslatedSegment>()
  for (const segment of result.segments) known.set(keyOf(null, segment), segment)
  for (const { speaker, segments } of result.speaker_translations) {
    for (const segment of segments) known.set(keyOf(speaker, segment), segment)
  }
  const isNamed = ({ start, end }: Pick<Segment, 'start' | 'end'>) => line?.start === start && line.end === end
  // Of two lines with the same times, the one that failed is meant; where none did, both are translated again.
  const isForced = line !== null && [...known.values()].every((segment) => !isNamed(segment) || segment.error === null)
  return (speaker, segment) => {
    const found = known.get(keyOf(speaker, segment)) ?? known.get(keyOf(null, segment))
    const isOther = line !== null && !isNamed(segment)
    return found && (isOther || (found.error === null && !isForced)) ? toItem(found) : undefined
  }
}

/** Adds the models of the earlier translation to those of the repaired one, each once. */
export function withProvenanceOf({ result: before }: EarlierTranslation, result: TranslationResult): TranslationResult {
  const earlier = before.provenance ?? []
  const added = (result.provenance ?? []).filter((model) => !earlier.some((other) => isSameModel(model, other)))
  const used = [...earlier, ...added]
  return { ...result, model: result.model || before.model, provenance: used.length > 0 ? used : null }
}

/** Whether two entries name the same weights, engine and settings, at whatever time. */
function isSameModel(model: ModelProvenance, other: ModelProvenance): boolean {
  return isDeepStrictEqual(withoutTime(model), withoutTime(other))
}

/** Compares in the stored form, which has no undefined settings. */
function withoutTime(model: ModelProvenance): unknown {
  return JSON.parse(JSON.stringify({ ...model, created_at: '' }))
}

function toItem({ translated_text, error, not_translated, via }: TranslatedSegment): RoutedTranslation {
  const failure = not_translated && { notTranslated: not_translated }
  return { translatedText: translated_text, error, ...failure, ...(via !== undefined && { via }) }
}

function keyOf(speaker: string | null, { start, end, text }: Pick<Segment, 'start' | 'end' | 'text'>): string {
  return JSON.stringify([speaker, start, end, text])
}
