import { isDeepStrictEqual } from 'node:util'
import type { ModelProvenance } from '#contract/provenance.ts'
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
  const isNamed = ({ start, end }: Pick<Segment, 'start' | 'end'>) => line?.start === start && line.end === end
  // Of two that spoke at once the one that failed is meant; where none did, the line is to be translated anew.
  const isForced = line !== null && [...known.values()].every((segment) => !isNamed(segment) || segment.error === null)
  return (speaker, segment) => {
    const found = known.get(keyOf(speaker, segment)) ?? known.get(keyOf(null, segment))
    const isOther = line !== null && !isNamed(segment)
    return found && (isOther || (found.error === null && !isForced)) ? toItem(found) : undefined
  }
}

/** A repaired translation was made by the models of both; one that made both is named once. */
export function withProvenanceOf({ result: before }: EarlierTranslation, result: TranslationResult): TranslationResult {
  const earlier = before.provenance ?? []
  const added = (result.provenance ?? []).filter((model) => !earlier.some((other) => isSameModel(model, other)))
  const used = [...earlier, ...added]
  return { ...result, model: result.model || before.model, provenance: used.length > 0 ? used : null }
}

/** Whether two models are one, with the same weights, engine and settings, whenever they worked. */
function isSameModel(model: ModelProvenance, other: ModelProvenance): boolean {
  return isDeepStrictEqual(withoutTime(model), withoutTime(other))
}

/** As it is stored: settings that are undefined are lost there. */
function withoutTime(model: ModelProvenance): unknown {
  return JSON.parse(JSON.stringify({ ...model, created_at: '' }))
}

function toItem({ translated_text, error, not_translated, via }: TranslatedSegment): RoutedItem {
  const failure = not_translated && { notTranslated: not_translated }
  return { translatedText: translated_text, error, ...failure, ...(via !== undefined && { via }) }
}

function keyOf(speaker: string | null, { start, end, text }: Pick<Segment, 'start' | 'end' | 'text'>): string {
  return JSON.stringify([speaker, start, end, text])
}
