import type { StoredTranslation } from '#contract/entities/recording.ts'
import { type Gap, listGaps } from '#contract/gaps.ts'
import type { KeywordHit, KeywordMatcher } from '#contract/keywords/find-keywords.ts'
import type { EditableSegment } from '#contract/line-edits.ts'
import { type MarkFinder, noMarks } from '#contract/match-marks.ts'
import { spokenLanguage } from '#contract/spoken-language.ts'
import type { Segment, TranscriptionResult } from '#contract/transcription.ts'
import { matchTranslations } from '#contract/match-translation.ts'
import type { TranslatedSegment } from '#contract/translation.ts'
import type { ConversationLine } from './conversation-line.ts'

interface FoundTranslation {
  translated: TranslatedSegment | null
  /** Whether it was made from a different text or version. */
  isStale: boolean
}

/** Returns the translation of each line, or the error of its speaker if that speaker could not be translated at all. */
function lookUpTranslations(
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

export interface LineSources {
  /** The segments with edited texts and corrected speakers, in time order. */
  segments: EditableSegment[]
  /** The version that the segments belong to; null before the first. */
  transcription: TranscriptionResult | null
  translation: StoredTranslation | null
  find: KeywordMatcher
  /** Finds people's marks on lines; omitted if there are none. */
  marks?: MarkFinder
  /** The lines of a running transcription so far. */
  partial: Segment[]
  /** Returns the language of a line of a running transcription; by default a line's own, if any. */
  partialLanguageOf?: (line: Segment) => string | null
}

type LineBase = Pick<ConversationLine, 'id' | 'start' | 'end'> & Partial<ConversationLine>

const noHits: KeywordHit[] = []

/**
 * Returns the rows of the conversation in time order: lines with their translations and keywords, gaps, and lines that a running
 * transcription has found. A text is scanned for keywords once per matcher, so that rebuilding after a change is cheap.
 */
export function buildLines(sources: LineSources): ConversationLine[] {
  const { segments, transcription, partial, partialLanguageOf } = sources
  const toId = createIdentifier()
  const find = cachedMatcher(sources.find)
  const targetLanguage = sources.translation?.target_language ?? null
  const translations = lookUpTranslations(segments, sources.translation, transcription)
  const spoken = segments.map((segment, index) => {
    const { translated = null, isStale = false } = translations[index] ?? {}
    const language = transcription && spokenLanguage(transcription, segment)
    return toLine({
      id: toId(lineIdOf(segment)),
      start: segment.start,
      end: segment.end,
      segment,
      language,
      translated,
      isTranslationStale: isStale,
      marks: sources.marks?.find(segment) ?? noMarks,
      hits: {
        original: find(segment.text, language),
        translation: translated?.translated_text ? find(translated.translated_text, targetLanguage) : noHits,
      },
    })
  })
  const gaps = transcription ? listGaps({ segments, warnings: transcription.warnings }) : []
  const arriving = partial.map((segment) => {
    const language = partialLanguageOf?.(segment) ?? segment.language ?? null
    return toLine({
      id: toId(`partial:${segment.channel ?? ''}@${segment.start}`),
      start: segment.start,
      end: segment.end,
      segment: { ...segment, from: [] },
      language,
      isPartial: true,
      hits: { original: find(segment.text, language), translation: noHits },
    })
  })
  const others = [...gaps.map((gap) => toGapLine(gap, toId)), ...arriving]
  return others.length === 0 ? spoken : [...spoken, ...others].toSorted((a, b) => a.start - b.start)
}

/** Returns the id of a line's row, without the number that is added if another row has the same id. */
export function lineIdOf({ from, start }: { from: number[]; start: number }): string {
  return `${from[0] ?? ''}@${start}`
}

function toGapLine(gap: Gap, toId: (wanted: string) => string): ConversationLine {
  const { start, end, channel } = gap
  return toLine({ id: toId(`gap:${channel ?? ''}@${start}`), start, end, gap })
}

function toLine(line: LineBase): ConversationLine {
  return {
    segment: null,
    gap: null,
    language: null,
    translated: null,
    isTranslationStale: false,
    marks: noMarks,
    hits: { original: noHits, translation: noHits },
    isPartial: false,
    ...line,
  }
}

/** Returns a function that numbers repeated ids, since two speakers may begin at the same time. */
function createIdentifier(): (wanted: string) => string {
  const counts = new Map<string, number>()
  return (wanted) => {
    const count = counts.get(wanted) ?? 0
    counts.set(wanted, count + 1)
    return count === 0 ? wanted : `${wanted}#${count}`
  }
}

/** More than the texts of an hour-long call and its translation, so that only texts of other calls are dropped. */
const maxCachedTexts = 6000
const caches = new WeakMap<KeywordMatcher, Map<string, KeywordHit[]>>()

/** Returns the matcher with a cache of the texts it has scanned. */
function cachedMatcher(find: KeywordMatcher): KeywordMatcher {
  const known = caches.get(find) ?? new Map<string, KeywordHit[]>()
  caches.set(find, known)
  return (text, language = null) => {
    const key = `${language} ${text}`
    const before = known.get(key)
    if (before) return before
    if (known.size >= maxCachedTexts) known.clear()
    const hits = find(text, language)
    known.set(key, hits)
    return hits
  }
}
