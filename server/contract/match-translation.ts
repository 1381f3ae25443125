import type { Segment } from './transcription.ts'
import type { TranslatedSegment, TranslationResult } from './translation.ts'

/** The translation of a line; stale if it was made from a text other than the line's current text. */
export interface TranslationMatch {
  translated: TranslatedSegment
  isStale: boolean
}

type Line = Pick<Segment, 'start' | 'end' | 'text' | 'speaker'>
type Translations = Pick<TranslationResult, 'segments' | 'speaker_translations'>
type Candidate = TranslatedSegment & { speaker?: string }

/** The translations of a line: the one with exactly its times and text, or otherwise those of an earlier text. */
interface TranslationsOfLine {
  exact: Candidate | undefined
  earlier: Candidate[]
}

/** A stale translation belongs to a line if they share at least this part of the shorter one. */
const minSharedPart = 0.5

/**
 * Returns the translation of each line, or null. It is the one made from exactly the line's times and text. Otherwise it is stale and joins
 * the translations, of its speaker if possible, that share most of their time with the line; never one that is exact for another line.
 */
export function matchTranslations(lines: Line[], translation: Translations | null): (TranslationMatch | null)[] {
  if (!translation) return lines.map(() => null)
  return findTranslations(lines, translation).map(({ exact, earlier }) => {
    if (exact) return { translated: toTranslated(exact), isStale: false }
    const translated = joinParts(earlier)
    return translated && { translated, isStale: true }
  })
}

/** Returns the translations that matchTranslations chooses, each segment as it was translated. */
export function findTranslations(lines: Line[], translation: Translations): TranslationsOfLine[] {
  const candidates = listCandidates(translation)
  const index = new Map<string, Candidate>()
  for (const segment of translation.segments) index.set(keyOf(segment, undefined), segment)
  for (const candidate of candidates) index.set(keyOf(candidate, candidate.speaker), candidate)
  const exact = lines.map((line) => index.get(keyOf(line, line.speaker)) ?? index.get(keyOf(line, undefined)))
  const used = new Set(exact.flatMap((found) => (found ? [keyOf(found, undefined)] : [])))
  const findAround = createTimeLookup(candidates.filter((candidate) => !used.has(keyOf(candidate, undefined))))
  return lines.map((line, at) => {
    if (exact[at]) return { exact: exact[at], earlier: [] }
    const earlier = findAround(line).filter((candidate) => sharesMost(line, candidate))
    const own = earlier.filter(({ speaker }) => speaker === undefined || speaker === line.speaker)
    return { exact: undefined, earlier: own.length > 0 ? own : earlier }
  })
}

/** Returns each translated segment once, with its speaker if it has one, in order of time. */
function listCandidates({ segments, speaker_translations }: Translations): Candidate[] {
  const ofSpeakers = speaker_translations.flatMap(({ speaker, segments: own }) => {
    return own.map((segment) => ({ ...segment, speaker }))
  })
  const candidates: Candidate[] = ofSpeakers.length > 0 ? ofSpeakers : segments
  return candidates.toSorted((a, b) => a.start - b.start)
}

/** Creates a lookup of the candidates that may share time with a line: a few out of thousands. The list must be in order of time. */
function createTimeLookup(candidates: Candidate[]): (line: Line) => Candidate[] {
  const longest = Math.max(0, ...candidates.map(({ start, end }) => end - start))
  return ({ start, end }) => {
    const found: Candidate[] = []
    for (let at = firstFrom(candidates, start - longest); at < candidates.length; at += 1) {
      const candidate = candidates[at]
      if (!candidate || candidate.start > end) break
      found.push(candidate)
    }
    return found
  }
}

/** Returns the index of the first segment that begins at `start` or later. */
function firstFrom(segments: Candidate[], start: number): number {
  let [low, high] = [0, segments.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((segments[middle]?.start ?? start) < start) low = middle + 1
    else high = middle
  }
  return low
}

function keyOf({ start, end, text }: Pick<Line, 'start' | 'end' | 'text'>, speaker: string | undefined): string {
  return `${start} ${end} ${speaker ?? ''}\n${text}`
}

function sharesMost(a: Pick<Line, 'start' | 'end'>, b: Pick<Line, 'start' | 'end'>): boolean {
  const shorter = Math.min(a.end - a.start, b.end - b.start)
  const shared = Math.min(a.end, b.end) - Math.max(a.start, b.start)
  return shared >= shorter * minSharedPart && (shared > 0 || a.start === b.start)
}

/** Joins the translations of several lines; returns null if there are none. */
function joinParts(parts: Candidate[]): TranslatedSegment | null {
  const [first, ...more] = parts.map(toTranslated)
  if (!first || more.length === 0) return first ?? null
  const all = [first, ...more]
  const failed = all.every(({ error }) => error !== null) ? first.error : null
  return {
    start: first.start,
    end: Math.max(...all.map(({ end }) => end)),
    text: all.map(({ text }) => text).join(' '),
    translated_text: all
      .map(({ translated_text }) => translated_text)
      .filter(Boolean)
      .join(' '),
    error: failed,
  }
}

function toTranslated(candidate: Candidate): TranslatedSegment {
  const { speaker: _, ...translated } = candidate
  return translated
}
