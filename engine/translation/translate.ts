import { AppError } from '#contract/app-error.ts'
import type { Segment, TranscriptionResult } from '#contract/transcription.ts'
import { joinSpeakerTranslation, joinTranslatedTexts, shownTranslation } from '#contract/speaker-translation.ts'
import type { TranslatedSegment, TranslationProgress, TranslationResult } from '#contract/translation.ts'
import { createTimeLeft, type WorkUnit } from '#engine/time-left.ts'
import { assertTranslatable } from './translation-router.ts'
import type { TranslationRouter } from './translation-router.ts'
import { planRetry } from './earlier-lines.ts'
import type { EarlierTranslation } from './earlier-lines.ts'
import { needsNoTranslation, resolveSource } from './language-pair.ts'
import type { Translator } from './llama.ts'
import type { LanguagePair } from './prompt.ts'
import type { GlossaryEntry } from './profiles/request.ts'
import { translateByRoute } from './translate-by-route.ts'
import type { RoutedTranslation, TranslationOrigin } from './translate-by-route.ts'
import type { TranslationCheckpoint } from './translation-memory.ts'

/** Options shared by all translations. */
export interface TranslateOptions {
  /** ISO 639-1 code, or `auto` (the default) for the language detected in the speech, or else by the letters. */
  sourceLanguage?: string
  targetLanguage: string
  /** One model for everything, or a router that chooses one for each pair. */
  translator: Translator | TranslationRouter
  signal?: AbortSignal
  /** Called after each text, with all translations so far in `partial_text`. */
  onProgress?: (progress: TranslationProgress) => void
  checkpoint?: TranslationCheckpoint
  /** Terms and their translations. */
  glossary?: GlossaryEntry[]
  /** See TranslationRequest. */
  seedOffset?: number
}

/**
 * Translates the segments of one voice, each by itself and from its own language if it has one. A segment that fails has the message in
 * `error`, and the others continue.
 *
 * @throws AppError `unsupported_pair`, `unsupported_language`, `model_unavailable`, `job_cancelled`; `internal` if no segment could be
 *   translated
 */
export async function translateSegments(
  options: TranslateOptions & { segments: Segment[] },
): Promise<TranslatedSegment[]> {
  const lines = planLines({ speaker: null, segments: options.segments, detected_language: null }, options)
  assertAnyTranslatable(lines)
  return (await translateLines(lines, options)).segments
}

/**
 * Translates a transcript, each segment by itself in order of time, from its own language or else the detected language of its speaker.
 * A segment that fails has the message in `error`, and the others continue. Rejects as translateSegments does if no speaker can be
 * translated.
 */
export async function translateSpeakers(options: SpeakersOptions): Promise<TranslationResult> {
  const { transcription, targetLanguage, earlier } = options
  const voices = listVoices(transcription)
  const all = voices.flatMap((voice) => planLines(voice, options)).toSorted((a, b) => a.segment.start - b.segment.start)
  const { lines, stale } = earlier ? planRetry(earlier, all) : { lines: all, stale: [] }
  assertAnyTranslatable(lines)
  const { segments, ...by } = await translateLines(lines, options)
  const spoken = [...segments.map((segment, at) => ({ speaker: lines[at]?.speaker ?? null, segment })), ...stale]
  const ordered = spoken.toSorted((a, b) => a.segment.start - b.segment.start)
  const translated = ordered.map(({ segment }) => segment)
  const hasSpeakers = transcription.speaker_transcriptions.length > 0
  const speakers = hasSpeakers
    ? voices.map((voice) => {
        const own = ordered.filter(({ speaker }) => speaker === voice.speaker)
        return joinSpeakerTranslation(
          voice.speaker ?? '',
          own.map(({ segment }) => segment),
        )
      })
    : []
  return {
    translated_text: joinTranslatedTexts(translated, hasSpeakers ? '\n' : ' '),
    original_text: transcription.transcription,
    source_language: mainSource(lines) ?? transcription.detected_language ?? 'und',
    target_language: targetLanguage,
    num_speakers: transcription.num_speakers,
    speaker_translations: speakers,
    segments: translated,
    ...by,
    via: translated.find(({ via }) => via !== undefined)?.via ?? null,
  }
}

type SpeakersOptions = TranslateOptions & {
  transcription: TranscriptionResult
  /** An earlier translation, only some lines of which are translated again. */
  earlier?: EarlierTranslation
}

/** A pair of languages that a model supports, or the error. */
type PlannedLanguages = LanguagePair | { error: AppError }

interface Voice {
  speaker: string | null
  segments: Segment[]
  detected_language: string | null
}

interface Line {
  segment: Segment
  speaker: string | null
  languages: PlannedLanguages
  /** The result of an earlier job, if it is kept. */
  kept?: RoutedTranslation
}

function listVoices({ speaker_transcriptions, segments, detected_language }: TranscriptionResult): Voice[] {
  return speaker_transcriptions.length > 0 ? speaker_transcriptions : [{ speaker: null, segments, detected_language }]
}

/** Returns the lines of a voice in order. Lines in the same language share a plan; an unknown language is detected from all of them. */
function planLines({ speaker, segments, detected_language }: Voice, options: TranslateOptions): Line[] {
  const { sourceLanguage = 'auto' } = options
  const sourceOf = ({ language }: Segment) =>
    sourceLanguage === 'auto' ? (language ?? detected_language ?? 'auto') : sourceLanguage
  const groups = Map.groupBy(segments, sourceOf)
  const plans = new Map<string, PlannedLanguages>()
  return segments.map((segment) => {
    const source = sourceOf(segment)
    const languages = plans.get(source) ?? tryPlan(source, groups.get(source) ?? [], options)
    plans.set(source, languages)
    return { segment, speaker: speaker ?? segment.speaker ?? null, languages }
  })
}

/** Throws the first error if no line can be translated. */
function assertAnyTranslatable(lines: Line[]): void {
  const failures = lines.flatMap(({ languages }) => ('error' in languages ? [languages.error] : []))
  const [first] = failures
  if (first && failures.length === lines.length) throw first
}

function tryPlan(source: string, segments: Segment[], options: TranslateOptions): PlannedLanguages {
  try {
    return planPair(source, segments, options)
  } catch (error) {
    if (error instanceof AppError) return { error }
    throw error
  }
}

function planPair(source: string, segments: Segment[], { targetLanguage, translator }: TranslateOptions): LanguagePair {
  const text = segments.map((segment) => segment.text).join('\n')
  const pair = { source: resolveSource(source, text), target: targetLanguage }
  assertTranslatable(translator, pair)
  return pair
}

async function translateLines(
  lines: Line[],
  options: TranslateOptions,
): Promise<TranslationOrigin & { segments: TranslatedSegment[] }> {
  const { translator, signal, onProgress, checkpoint, glossary, seedOffset } = options
  const done: TranslatedSegment[] = []
  let partialText = ''
  const units = lines.map(toWorkUnit)
  const timeLeft = createTimeLeft(units)
  const by = await translateByRoute({
    items: lines.map(({ segment, ...line }) => ({ ...line, text: segment.text })),
    glossary,
    seedOffset,
    translator,
    checkpoint,
    signal,
    onItem({ translatedText, error, notTranslated, via }, index) {
      const line = lines[index]
      if (!line) return
      const { start, end, text } = line.segment
      const failure = notTranslated && { not_translated: notTranslated }
      const segment = { start, end, text, translated_text: translatedText, error, ...failure, ...(via && { via }) }
      done.push(segment)
      partialText += `${partialText && ' '}${shownTranslation(segment)}`
      const unit = units[index]
      if (unit) timeLeft.finish(unit)
      onProgress?.({
        current_segment: index + 1,
        total_segments: lines.length,
        latest_segment: { ...segment, speaker: line.speaker },
        partial_text: partialText,
        seconds_left: Math.round(timeLeft.seconds() ?? 0),
      })
    },
  })
  return { ...by, segments: done }
}

/** Fixed cost of a line, regardless of its length. */
const fixedCostCharacters = 20

/** Lines that need no model cost nothing, so they form a separate group from the lines of each pair of languages. */
function toWorkUnit({ segment, languages, kept }: Line): WorkUnit {
  const isFree = kept !== undefined || 'error' in languages || needsNoTranslation(languages)
  const group = isFree ? 'none' : `${languages.source}-${languages.target}`
  return { group, weight: segment.text.length + fixedCostCharacters }
}

/** Returns the language of most lines. */
function mainSource(lines: Line[]): string | undefined {
  const sources = lines.flatMap(({ languages }) => ('source' in languages ? [languages.source] : []))
  const counts = [...Map.groupBy(sources, (source) => source)].map(([source, { length }]) => ({ source, length }))
  return counts.toSorted((a, b) => b.length - a.length)[0]?.source
}
