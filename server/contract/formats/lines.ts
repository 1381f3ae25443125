import { isUncertainSegment, markDoubt } from '../doubt.ts'
import { listGaps, type Gap } from '../gaps.ts'
import { languageName } from '../languages.ts'
import { describeProvenance } from '../provenance.ts'
import { matchTranslations, type TranslationMatch } from '../match-translation.ts'
import { noSpeakerCorrections } from '../speaker-corrections.ts'
import { displayName, hasSpeakingChannels } from '../speaker-display.ts'
import { spokenLanguage } from '../spoken-language.ts'
import { t } from '../texts/t.ts'
import type { Segment, TranscriptionResult } from '../transcription.ts'
import { toMs } from './time.ts'
import type { TranscriptDocument } from './transcript-document.ts'

/**
 * How a text shows the model's uncertainty: not at all; with a mark after each uncertain word and a line for each passage that
 * was not understood; or like `mark`, but only the uncertain lines and those passages.
 */
export const doubtChoices = ['none', 'mark', 'only'] as const
export type DoubtChoice = (typeof doubtChoices)[number]

/** Returns the mark after the translation of a line that was corrected since it was translated. */
export function outdatedMark(): string {
  return t('[outdated]')
}

/**
 * One segment, or a passage that was not understood, ready to be written: each text is one line. `translation` is null when nothing
 * was translated.
 */
export interface TranscriptLine {
  isGap: boolean
  startMs: number
  endMs: number
  speaker: string | null
  text: string
  /** Code of the language spoken; null when unknown. */
  language: string | null
  /** `isStale` is set when the line was corrected after it was translated. */
  translation: { text: string; error: string | null; isNotTranslated?: boolean; isStale?: boolean } | null
  /** Null for a gap. */
  segment: Segment | null
}

/** Returns a line with the models for each text of a document; none for texts from versions that did not store their models. */
export function provenanceLines({ transcription, translation }: TranscriptDocument): string[] {
  const transcribed = describeProvenance(transcription.provenance)
  const translated = describeProvenance(translation?.provenance)
  return [
    ...(transcribed === null ? [] : [oneLine(`${t('Transcribed by')}: ${transcribed}`)]),
    ...(translated === null ? [] : [oneLine(`${t('Translated by')}: ${translated}`)]),
    ...(translation?.via
      ? [
          t('Translated over {language}: no model in use knew both languages.', {
            language: languageName(translation.via),
          }),
        ]
      : []),
  ]
}

/** Returns the title of a speaker that readers of a document see. */
export function speakerTitle(
  speaker: string,
  { transcription, corrections = noSpeakerCorrections }: Pick<TranscriptDocument, 'transcription' | 'corrections'>,
): string {
  return displayName(speaker, { ...corrections, hasChannels: hasSpeakingChannels(transcription) })
}

/** Returns all segments in order of time, with the lines that `doubt` adds and without those that it leaves out. */
export function transcriptLines(document: TranscriptDocument, doubt: DoubtChoice = 'none'): TranscriptLine[] {
  const { transcription, translation } = document
  const segments = doubt === 'only' ? transcription.segments.filter(isUncertainSegment) : transcription.segments
  const translated = matchTranslations(transcription.segments, translation)
  const matches = new Map(transcription.segments.map((segment, index) => [segment, translated[index] ?? null]))
  const lines = segments.map((segment) => {
    const text = doubt === 'none' ? segment.text : markDoubt(segment)
    return toLine(segment, {
      text,
      language: spokenLanguage(transcription, segment),
      match: matches.get(segment) ?? null,
    })
  })
  if (doubt === 'none') return lines
  const gaps = listGaps(transcription).map((gap) => gapLine(gap, transcription))
  return [...lines, ...gaps].toSorted((a, b) => a.startMs - b.startMs)
}

/** Returns the text of a translation, with a mark if its line was corrected since. */
export function markStale({ text, isStale }: { text: string; isStale?: boolean }): string {
  return isStale && text ? `${text} ${outdatedMark()}` : text
}

/** Returns `text` as one line: any run of white space, including line breaks, becomes a single space. */
export function oneLine(text: string): string {
  return text.replace(/\s+/gu, ' ').trim()
}

function toLine(
  segment: Segment,
  { text, language, match }: { text: string; language: string | null; match: TranslationMatch | null },
): TranscriptLine {
  return {
    isGap: false,
    startMs: toMs(segment.start),
    endMs: toMs(segment.end),
    speaker: segment.speaker ?? null,
    text: oneLine(text),
    language,
    translation: match && toTranslation(match),
    segment,
  }
}

function toTranslation({ translated: { translated_text, error, not_translated }, isStale }: TranslationMatch) {
  return {
    text: oneLine(translated_text),
    error,
    ...(not_translated && { isNotTranslated: true }),
    ...(isStale && { isStale }),
  }
}

function gapLine({ start, end, channel }: Gap, { speaker_transcriptions }: TranscriptionResult): TranscriptLine {
  const speaker = speaker_transcriptions.find((entry) => entry.channel === channel)?.speaker ?? null
  const times = { startMs: toMs(start), endMs: toMs(end) }
  return {
    isGap: true,
    ...times,
    speaker,
    text: t('[not understood]'),
    language: null,
    translation: null,
    segment: null,
  }
}
