import { isUncertainSegment, markDoubt } from '../doubt.ts'
import { listGaps, type Gap } from '../gaps.ts'
import { describeLanguage } from '../languages.ts'
import { describeProvenance } from '../provenance.ts'
import { noSpeakerCorrections, type SpeakerCorrections } from '../speaker-corrections.ts'
import { displayName, hasSpeakingChannels } from '../speaker-display.ts'
import { spokenLanguage } from '../spoken-language.ts'
import type { Segment, TranscriptionResult } from '../transcription.ts'
import type { TranslatedSegment, TranslationResult } from '../translation.ts'
import { toMs } from './time.ts'

/** A transcript and, where there is one, its translation. `name` is the recording's, for the head of a text file. */
export interface TranscriptDocument {
  name: string | null
  transcription: TranscriptionResult
  translation: TranslationResult | null
  /** For the names of speakers; merges and moved lines are in the results already. */
  corrections?: SpeakerCorrections
}

/**
 * How a text shows the model's uncertainty: not at all; with a mark after each uncertain word and a line for each passage that
 * was not understood; or as `mark`, the uncertain lines and those passages alone.
 */
export const doubtChoices = ['none', 'mark', 'only'] as const
export type DoubtChoice = (typeof doubtChoices)[number]

/** The text of a passage that was not understood. */
const gapText = '[not understood]'

/**
 * One segment, or a passage that was not understood, ready to be written: each text is one line. `translation` is null where nothing
 * was translated.
 */
export interface TranscriptLine {
  isGap: boolean
  startMs: number
  endMs: number
  speaker: string | null
  text: string
  /** Code of the language spoken, null where unknown. */
  language: string | null
  translation: { text: string; error: string | null; isNotTranslated?: boolean } | null
}

/** Returns one line per text of a document with the models that made it; none for texts of versions that did not store them. */
export function provenanceLines({ transcription, translation }: TranscriptDocument): string[] {
  const transcribed = describeProvenance(transcription.provenance)
  const translated = describeProvenance(translation?.provenance)
  return [
    ...(transcribed === null ? [] : [oneLine(`Transcribed by: ${transcribed}`)]),
    ...(translated === null ? [] : [oneLine(`Translated by: ${translated}`)]),
    ...(translation?.via
      ? [`Translated over ${describeLanguage(translation.via).name}: no model in use knew both languages.`]
      : []),
  ]
}

/** Returns what readers of a document see for one of its speakers. */
export function speakerTitle(
  speaker: string,
  { transcription, corrections = noSpeakerCorrections }: Pick<TranscriptDocument, 'transcription' | 'corrections'>,
): string {
  return displayName(speaker, { ...corrections, hasChannels: hasSpeakingChannels(transcription) })
}

/** Returns all segments in order of time, with what `doubt` adds and leaves out. */
export function transcriptLines(document: TranscriptDocument, doubt: DoubtChoice = 'none'): TranscriptLine[] {
  const { transcription, translation } = document
  const translated = indexTranslation(translation)
  const segments = doubt === 'only' ? transcription.segments.filter(isUncertainSegment) : transcription.segments
  const lines = segments.map((segment) => {
    const found = translated.get(keyOf(segment.speaker, segment)) ?? translated.get(keyOf(undefined, segment))
    const text = doubt === 'none' ? segment.text : markDoubt(segment)
    return toLine({ ...segment, text }, spokenLanguage(transcription, segment), found)
  })
  if (doubt === 'none') return lines
  const gaps = listGaps(transcription).map((gap) => gapLine(gap, transcription))
  return [...lines, ...gaps].toSorted((a, b) => a.startMs - b.startMs)
}

/** Returns `text` as one line: any run of white space, line breaks included, becomes a blank. */
export function oneLine(text: string): string {
  return text.replace(/\s+/gu, ' ').trim()
}

function indexTranslation(translation: TranslationResult | null): Map<string, TranslatedSegment> {
  const index = new Map<string, TranslatedSegment>()
  for (const segment of translation?.segments ?? []) index.set(keyOf(undefined, segment), segment)
  for (const { speaker, segments } of translation?.speaker_translations ?? []) {
    for (const segment of segments) index.set(keyOf(speaker, segment), segment)
  }
  return index
}

// The text is part of the key: where two speakers begin and end together, or a segment was edited since, no line gets the translation of another.
function keyOf(speaker: string | undefined, { start, end, text }: Pick<Segment, 'start' | 'end' | 'text'>): string {
  return JSON.stringify([speaker, start, end, text])
}

function toLine(segment: Segment, language: string | null, translated: TranslatedSegment | undefined): TranscriptLine {
  return {
    isGap: false,
    startMs: toMs(segment.start),
    endMs: toMs(segment.end),
    speaker: segment.speaker ?? null,
    text: oneLine(segment.text),
    language,
    translation: translated ? toTranslation(translated) : null,
  }
}

function toTranslation({ translated_text, error, not_translated }: TranslatedSegment) {
  return { text: oneLine(translated_text), error, ...(not_translated && { isNotTranslated: true }) }
}

function gapLine({ start, end, channel }: Gap, { speaker_transcriptions }: TranscriptionResult): TranscriptLine {
  const speaker = speaker_transcriptions.find((entry) => entry.channel === channel)?.speaker ?? null
  const times = { startMs: toMs(start), endMs: toMs(end) }
  return { isGap: true, ...times, speaker, text: gapText, language: null, translation: null }
}
