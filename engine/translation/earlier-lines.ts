import { isDeepStrictEqual } from 'node:util'
import { findTranslations } from '#contract/match-translation.ts'
import type { ModelProvenance } from '#contract/provenance.ts'
import type { Segment } from '#contract/transcription.ts'
import type { TranslatedSegment, TranslationResult } from '#contract/translation.ts'
import type { RoutedTranslation } from './translate-by-route.ts'

/** An earlier translation of the same transcript, only some lines of which are translated again. The others stay unchanged. */
export interface EarlierTranslation {
  result: TranslationResult
  /** The times of lines to translate again, regardless of their outcome. */
  lines: { start: number; end: number }[]
  /** Whether lines that could not be translated are translated again. */
  includesFailed: boolean
  /** Whether lines that have since changed or are new are translated. */
  includesChanged: boolean
}

interface Line {
  segment: Segment
  speaker: string | null
}

/** A translated segment with its speaker, if it has one. */
export interface SpokenTranslation {
  speaker: string | null
  segment: TranslatedSegment
}

/** The work that an earlier translation leaves to do. */
export interface RetryPlan<Planned extends Line> {
  /** The lines of the new translation in order; `kept` is set for those that are not translated again. */
  lines: (Planned & { kept?: RoutedTranslation })[]
  /** Translations of earlier texts, kept because the lines that replaced them are not translated now. */
  stale: SpokenTranslation[]
}

/**
 * Returns what is translated again and what is kept. A named line is translated; of two lines with the same times, the one that failed or
 * was changed is meant, or both if neither was. A changed line that is not translated now keeps the translation of its earlier text, which
 * its segment contains; without a translation it is left out.
 */
export function planRetry<Planned extends Line>(earlier: EarlierTranslation, lines: Planned[]): RetryPlan<Planned> {
  const found = findTranslations(
    lines.map(({ segment, speaker }) => ({ ...segment, speaker: speaker ?? undefined })),
    earlier.result,
  )
  const isOpen = (at: number) => found[at]?.exact?.error !== null
  const named = earlier.lines.flatMap((times) => {
    const own = [...lines.keys()].filter((at) => areSameTimes(lines[at]?.segment, times))
    return own.some(isOpen) ? own.filter(isOpen) : own
  })
  const again = new Set(named)
  const stale = new Map<TranslatedSegment, SpokenTranslation>()
  const planned = lines.flatMap((line, at) => {
    const { exact, earlier: before = [] } = found[at] ?? {}
    if (again.has(at)) return [line]
    if (exact) return [exact.error !== null && earlier.includesFailed ? line : { ...line, kept: toItem(exact) }]
    if (earlier.includesChanged) return [line]
    for (const earlierLine of before) stale.set(earlierLine, toSpoken(earlierLine))
    return []
  })
  return { lines: planned, stale: [...stale.values()] }
}

/** Adds the models of the earlier translation to those of the repaired translation, each once. */
export function withProvenanceOf({ result: before }: EarlierTranslation, result: TranslationResult): TranslationResult {
  const earlier = before.provenance ?? []
  const added = (result.provenance ?? []).filter((model) => !earlier.some((other) => isSameModel(model, other)))
  const used = [...earlier, ...added]
  return { ...result, model: result.model || before.model, provenance: used.length > 0 ? used : null }
}

/** Whether two entries name the same weights, engine and settings, regardless of their times. */
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

function toSpoken({ speaker, ...segment }: TranslatedSegment & { speaker?: string }): SpokenTranslation {
  return { speaker: speaker ?? null, segment }
}

function areSameTimes(segment: Segment | undefined, { start, end }: { start: number; end: number }): boolean {
  return segment?.start === start && segment.end === end
}
