import { hasConfidences, isUncertainSegment } from '../doubt.ts'
import type { KeywordMatcher } from '../keywords/find-keywords.ts'
import { keywordCategories, type KeywordCategory } from '../keywords/keywords.ts'
import { languageName } from '../languages.ts'
import { spokenLanguages } from '../spoken-language.ts'
import { t } from '../texts/t.ts'
import { oneLine, speakerTitle, transcriptLines } from './lines.ts'
import type { DoubtChoice, TranscriptLine } from './lines.ts'
import { listCautions, listFacts, type ReportFact } from './report-facts.ts'
import { renderReportTexts, plainLayout, type RenderedReportTexts, type ReportLayout } from './report-template-texts.ts'
import { createText, type ReportText } from './report-text.ts'
import { wholeTranslation } from './text.ts'
import { toMs } from './time.ts'
import type { TranscriptDocument } from './transcript-document.ts'

/** A line of the conversation. */
export interface ReportRow {
  startMs: number
  /** Display name of the speaker, null if there is only one. */
  speaker: string | null
  /** Index of the speaker, which selects the colour. */
  voice: number | null
  isGap: boolean
  isEdited: boolean
  original: ReportText
  /** Null where nothing was translated. */
  translation: ReportText | null
  /** The line was corrected since it was translated. */
  isTranslationStale: boolean
  /** Why there is no translation, as a sentence. */
  translationError: string | null
}

/** The texts of a template around a report. */
export interface ReportTextParagraphs {
  /** Null where the name of the recording is the heading. */
  heading: ReportText | null
  /** Whether the name of the recording stands below the heading. */
  hasName: boolean
  introduction: ReportText[]
  closing: ReportText[]
}

/** A transcript as a document to read: what a Word file and the print view show. */
export interface TranscriptReport {
  /** The name of the recording. */
  title: string
  templateTexts: ReportTextParagraphs
  /** Sentences to read before the words. */
  cautions: string[]
  /** To read after them; empty where they are not wanted. */
  facts: ReportFact[]
  /** Names of the languages spoken. */
  languages: string[]
  /** Null without a translation. */
  targetLanguage: { code: string; name: string } | null
  /** The categories of the keywords found, in their order. */
  categories: KeywordCategory[]
  hasUncertainWords: boolean
  hasEditedLines: boolean
  rows: ReportRow[]
  /** A translation of the text as a whole, in paragraphs; empty where it is by line. */
  wholeTranslation: ReportText[]
  /** `quote` is the text that a flagged line had when it was flagged, null for notes and bookmarks. */
  notes: { timeMs: number; text: ReportText; quote: ReportText | null }[]
}

export interface ReportOptions {
  doubt: DoubtChoice
  /** Finds the keywords to mark, null to mark none. */
  find: KeywordMatcher | null
  layout?: ReportLayout
}

/** Builds the report of a transcript. */
export function buildReport(
  document: TranscriptDocument,
  { doubt, find, layout = plainLayout }: ReportOptions,
): TranscriptReport {
  const { name, transcription, translation, notes = [] } = document
  const target = translation?.target_language
  const whole = doubt === 'only' ? [] : wholeTranslation(document).slice(0, 1)
  const rows = listRows(document, { doubt, find })
  const texts = rows.flatMap(({ original, translation: translated }) => [original, ...(translated ? [translated] : [])])
  const pieces = texts.flatMap((text) => text.pieces)
  return {
    title: oneLine(name ?? t('Transcript')),
    templateTexts: toTextParagraphs(renderReportTexts(layout, document)),
    cautions: listCautions(document),
    facts: layout.hasFacts ? listFacts(document) : [],
    languages: spokenLanguages(transcription).map(languageName),
    targetLanguage: target === undefined ? null : { code: target, name: languageName(target) },
    categories: keywordCategories.filter((category) => pieces.some((piece) => piece.category === category)),
    hasUncertainWords: pieces.some(({ isUncertain }) => isUncertain),
    hasEditedLines: rows.some(({ isEdited }) => isEdited),
    rows,
    wholeTranslation:
      whole.length === 0 || !translation
        ? []
        : translation.translated_text
            .split('\n')
            .map((line) => createText(line, { language: translation.target_language, find })),
    notes: notes.map(({ time, text, line }) => ({
      timeMs: toMs(time),
      text: createText(text, { language: null, find: null }),
      quote: line ? createText(line.text, { language: null, find: null }) : null,
    })),
  }
}

function toTextParagraphs({ heading, isNamed, introduction, closing }: RenderedReportTexts): ReportTextParagraphs {
  const toTexts = (lines: string[]) => lines.map((line) => createText(line, { language: null, find: null }))
  const [title = null] = toTexts(heading)
  return {
    heading: title,
    hasName: title !== null && !isNamed,
    introduction: toTexts(introduction),
    closing: toTexts(closing),
  }
}

function listRows(document: TranscriptDocument, { doubt, find }: Pick<ReportOptions, 'doubt' | 'find'>): ReportRow[] {
  const { transcription, translation, edited_lines: edited = [] } = document
  const hasNames = transcription.num_speakers > 1 || transcription.speaker_transcriptions.length > 1
  const editedKeys = new Set(edited.map(keyOf))
  const voices = new Map(transcription.speaker_transcriptions.map((entry, index) => [entry.speaker, index]))
  const isMarked = doubt !== 'none' && hasConfidences(transcription)
  // `doubt` also adds gaps. The marks that it puts into the texts are not used: a report underlines uncertain words instead.
  return transcriptLines(document, doubt).map((line): ReportRow => {
    const { segment, startMs, speaker, isGap, language } = line
    const text = segment ? oneLine(segment.text) : line.text
    const doubtful = isMarked && segment && isUncertainSegment(segment) ? segment : null
    return {
      startMs,
      speaker: hasNames && speaker !== null ? speakerTitle(speaker, document) : null,
      voice: voices.get(speaker ?? '') ?? null,
      isGap,
      isEdited: segment !== null && editedKeys.has(keyOf(segment)),
      original: createText(text, {
        language,
        find: isGap ? null : find,
        doubtful: isMarked ? segment : null,
        isDoubtful: doubtful !== null,
      }),
      ...translationFields(line, { target: translation?.target_language ?? 'en', find }),
    }
  })
}

function translationFields(
  { translation, isGap }: TranscriptLine,
  { target, find }: { target: string; find: KeywordMatcher | null },
): Pick<ReportRow, 'translation' | 'isTranslationStale' | 'translationError'> {
  const isTranslated = translation !== null && !isGap && translation.error === null && translation.text !== ''
  return {
    translation: isTranslated ? createText(translation.text, { language: target, find }) : null,
    isTranslationStale: isTranslated && translation.isStale === true,
    translationError: translation?.error ?? null,
  }
}

function keyOf({ start, end, text }: { start: number; end: number; text: string }): string {
  return JSON.stringify([start, end, text])
}
