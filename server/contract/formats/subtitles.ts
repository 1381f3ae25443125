import { t } from '../texts/t.ts'
import { directedLine, namedLine, lineInReadersLanguage } from './direction.ts'
import { markStale, provenanceLines, speakerTitle, transcriptLines } from './lines.ts'
import type { DoubtChoice, TranscriptLine } from './lines.ts'
import { clockWithMs } from './time.ts'
import type { TranscriptDocument } from './transcript-document.ts'

/** The minimum duration of a subtitle; a cue that ends where it begins is invalid. */
const minCueMs = 500

/**
 * Formats SubRip: the original with the translation on the line below. Names the speakers when there are several.
 */
export function formatSrt(document: TranscriptDocument, doubt: DoubtChoice): string {
  const cues = cueLines(document, doubt).map((line, index) => {
    const name = speakerName(line, document)
    const text = guardSrt(line.text)
    const original = name === null ? directedLine(text, line.language) : namedLine(guardSrt(name), text, line.language)
    return [String(index + 1), timing(line, ','), original, ...translationLines(line, document, guardSrt)]
  })
  return joinCues(cues)
}

/** Formats WebVTT (W3C) like formatSrt, with the speaker in a voice tag and a comment that names the models. */
export function formatVtt(document: TranscriptDocument, doubt: DoubtChoice): string {
  const cues = cueLines(document, doubt).map((line) => {
    const name = speakerName(line, document)
    const original = directedLine(escapeVtt(line.text), line.language)
    const voiced = name === null ? original : `<v ${escapeVtt(name)}>${original}</v>`
    return [timing(line, '.'), voiced, ...translationLines(line, document, escapeVtt)]
  })
  const notes = provenanceLines(document).map((line) => `${escapeVtt(line)}\n`)
  const head = notes.length > 0 ? `NOTE\n${notes.join('')}\n` : ''
  return `WEBVTT\n\n${head}${joinCues(cues)}`
}

function cueLines(document: TranscriptDocument, doubt: DoubtChoice): TranscriptLine[] {
  return transcriptLines(document, doubt).filter((line) => line.text !== '')
}

function speakerName({ speaker }: TranscriptLine, document: TranscriptDocument): string | null {
  return speaker !== null && document.transcription.num_speakers > 1 ? speakerTitle(speaker, document) : null
}

function timing({ startMs, endMs }: TranscriptLine, separator: ',' | '.'): string {
  const end = endMs > startMs ? endMs : startMs + minCueMs
  return `${clockWithMs(startMs, separator)} --> ${clockWithMs(end, separator)}`
}

/**
 * Leaves out the line of a failed or missing translation: viewers still have the original, and the text file says why. Returns a mark
 * when the model produced no translation.
 */
function translationLines(
  { translation }: TranscriptLine,
  document: TranscriptDocument,
  escape: (text: string) => string,
): string[] {
  if (!document.translation || !translation) return []
  if (translation.isNotTranslated) return [lineInReadersLanguage(t('[not translated]'))]
  if (!translation.text) return []
  return [directedLine(escape(markStale(translation)), document.translation.target_language)]
}

function joinCues(cues: string[][]): string {
  return cues.map((lines) => `${lines.join('\n')}\n`).join('\n')
}

function escapeVtt(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** SubRip has no escapes: inserts an invisible character where a player would see a tag or a time line. */
function guardSrt(text: string): string {
  return text
    .replaceAll('-->', '--\u2060>')
    .replace(/<(?=[/a-z])/giu, '<\u2060')
    .replace(/\{(?=\\)/gu, '{\u2060')
}
