import { doubtMark } from '../doubt.ts'
import { isolateName, withoutIsolates } from '../isolated-name.ts'
import { languageName } from '../languages.ts'
import { spokenLanguages } from '../spoken-language.ts'
import type { Segment, TranscriptionResult } from '../transcription.ts'
import { listWarningNotes } from '../warning-notes.ts'
import { t } from '../texts/t.ts'
import { translateSentence } from '../texts/translate-sentence.ts'
import type { TranslationResult } from '../translation.ts'
import { directedLine, lineInReadersLanguage } from './direction.ts'
import { markStale, oneLine, provenanceLines, speakerTitle, outdatedMark, transcriptLines } from './lines.ts'
import type { DoubtChoice, TranscriptLine } from './lines.ts'
import { describeDetectedLanguage } from './report-facts.ts'
import {
  renderReportTexts,
  markLineDirections,
  plainLayout,
  type RenderedReportTexts,
} from './report-template-texts.ts'
import { clock, toMs } from './time.ts'
import type { TranscriptDocument } from './transcript-document.ts'

/** Formats a readable text file: a header about the recording, then each segment with time and speaker, its translation below. */
export function formatText(document: TranscriptDocument, doubt: DoubtChoice, layout = plainLayout): string {
  const texts = renderReportTexts(layout, document)
  const blocks = [
    ...openingBlocks(texts),
    formatHead(document, doubt),
    ...speakerBlocks(document, doubt),
    ...(doubt === 'only' ? [] : wholeTranslation(document)),
    ...closingBlocks(texts),
    ...(layout.hasFacts ? formatFoot(document) : []),
  ]
  return `${blocks.map((lines) => lines.join('\n')).join('\n\n\n')}\n`
}

/** Returns the header of a text file: the recording, its languages, and what its marks mean. */
export function formatHead(document: TranscriptDocument, doubt: DoubtChoice): string[] {
  const { name, transcription, translation } = document
  const { duration, warnings } = transcription
  return [
    ...(name === null ? [] : [isolateName(oneLine(name))]),
    ...[
      `${t('Duration')}: ${clock(toMs(duration))}`,
      languageLine(transcription),
      ...(translation ? [`${t('Translation')}: ${languageName(translation.target_language)}`] : []),
      ...listWarningNotes(warnings).map((note) => `${t('Note|remark')}: ${translateSentence(note)}`),
      ...(doubt === 'none' ? [] : [t('Note: {mark} follows what may be wrong.', { mark: doubtMark })]),
      ...(hasStale(document)
        ? [t('Note: {mark} follows translations of lines that were corrected since.', { mark: outdatedMark() })]
        : []),
      ...(doubt === 'only' ? [t('Note: This file holds the uncertain lines only.')] : []),
    ].map(lineInReadersLanguage),
  ]
}

/** Returns the heading and introduction of a template; nothing without them. */
export function openingBlocks({ heading, introduction }: RenderedReportTexts): string[][] {
  const [title] = heading.length > 0 ? markLineDirections(heading) : []
  const underline = '='.repeat([...withoutIsolates(heading.join(''))].length)
  const blocks = [title === undefined ? [] : [title, underline], markLineDirections(introduction)]
  return blocks.filter((lines) => lines.length > 0)
}

/** Returns the closing text of a template; nothing without one. */
export function closingBlocks({ closing }: RenderedReportTexts): string[][] {
  return closing.length > 0 ? [markLineDirections(closing)] : []
}

/** Returns the technical facts at the end of a text file; nothing when there are none. */
export function formatFoot(document: TranscriptDocument): string[][] {
  const lines = provenanceLines(document)
  return lines.length === 0 ? [] : [titledBlock(t('About this transcript'), lines.map(lineInReadersLanguage))]
}

/** With several languages, the title of each speaker gives the probability instead. */
function languageLine(transcription: TranscriptionResult): string {
  const languages = spokenLanguages(transcription)
  if (languages.length > 1) return `${t('Languages')}: ${languages.map(languageName).join(', ')}`
  return `${t('Language')}: ${describeDetectedLanguage(transcription.detected_language, transcription.language_probability)}`
}

function hasStale(document: TranscriptDocument): boolean {
  return transcriptLines(document).some(({ translation }) => translation?.isStale)
}

function speakerBlocks(document: TranscriptDocument, doubt: DoubtChoice): string[][] {
  const { transcription, translation } = document
  const lines = transcriptLines(document, doubt)
  if (lines.length === 0) return [[emptyText(transcription.segments)]]
  if (transcription.speaker_transcriptions.length === 0) return [segmentLines(lines, document)]
  // The lines of a recording with one voice name no speaker.
  const [first, ...more] = transcription.speaker_transcriptions
  const only = more.length === 0 ? first?.speaker : undefined
  const blocks = transcription.speaker_transcriptions.map(({ speaker, detected_language, language_probability }) => {
    const own = lines.filter((line) => (line.speaker ?? only) === speaker)
    const spoken = transcription.segments.filter((segment) => (segment.speaker ?? only) === speaker)
    const failure = translation?.speaker_translations.find((entry) => entry.speaker === speaker)?.error
    const title = `${isolateName(speakerTitle(speaker, document))}: ${describeDetectedLanguage(detected_language, language_probability)}`
    return titledBlock(title, [
      ...(failure ? [errorLine(failure)] : []),
      ...(own.length === 0 ? [emptyText(spoken)] : segmentLines(own, document)),
    ])
  })
  // With several voices on one channel, the speaker of a passage without words is unknown.
  const others = only ? [] : lines.filter((line) => line.speaker === null)
  return others.length === 0 ? blocks : [...blocks, segmentLines(others, document)]
}

/** If no line is left although something was said, all of it was certain. */
function emptyText(spoken: Segment[]): string {
  return lineInReadersLanguage(spoken.length > 0 ? t('No uncertain lines.') : t('No speech was found.'))
}

function segmentLines(lines: TranscriptLine[], { translation }: TranscriptDocument): string[] {
  return lines.flatMap((line, index) => [
    ...(index === 0 ? [] : ['']),
    `[${clock(line.startMs)} - ${clock(line.endMs)}]`,
    directedLine(line.text, line.language),
    ...(translation && isBySegment(translation) && !line.isGap
      ? [translationLine(line, translation.target_language)]
      : []),
  ])
}

/** Returns a translation made of the text as a whole, which cannot be placed by segment; nothing for other translations. */
export function wholeTranslation({ translation }: TranscriptDocument): string[][] {
  if (!translation || isBySegment(translation) || translation.translated_text === '') return []
  const lines = translation.translated_text.split('\n').map((line) => directedLine(line, translation.target_language))
  return [titledBlock(t('Translation'), lines)]
}

function isBySegment(translation: TranslationResult): boolean {
  return translation.segments.length > 0 || translation.speaker_translations.length > 0
}

// Sentences: audio-workflow specification, section 8.
export function translationLine({ translation, text, language }: TranscriptLine, targetLanguage: string): string {
  if (translation?.isNotTranslated)
    return `${errorLine(translation.error ?? '')}\n${directedLine(t('[not translated: {text}]', { text }), language)}`
  if (translation?.error) return errorLine(translation.error)
  return translation?.text
    ? directedLine(markStale(translation), targetLanguage)
    : lineInReadersLanguage(t('No translation available'))
}

/** Returns the error, in the reader's language if the sentence is translated. */
function errorLine(message: string): string {
  return lineInReadersLanguage(`${t('Error')}: ${translateSentence(message)}`)
}

/** Returns a title, an underline of the same width, and the lines below. */
export function titledBlock(title: string, lines: string[]): string[] {
  return [lineInReadersLanguage(title), '-'.repeat([...withoutIsolates(title)].length), ...lines]
}
