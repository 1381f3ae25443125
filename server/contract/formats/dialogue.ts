import { t } from '../texts/t.ts'
import { directedLine, lineInReadersLanguage, timedLine } from './direction.ts'
import { oneLine, speakerTitle, transcriptLines } from './lines.ts'
import type { DoubtChoice, TranscriptLine } from './lines.ts'
import { renderReportTexts, plainLayout } from './report-template-texts.ts'
import {
  closingBlocks,
  formatFoot,
  formatHead,
  openingBlocks,
  titledBlock,
  translationLine,
  wholeTranslation,
} from './text.ts'
import { clock, toMs } from './time.ts'
import type { TranscriptDocument } from './transcript-document.ts'

/** A speaker who pauses longer than this begins a new turn. */
const maxPauseMs = 3_000

/** A new turn begins after this much speech, so that a text of one speaker has times too. */
const maxTurnMs = 60_000

/** Adjacent lines of one speaker in one language. */
type Turn = [TranscriptLine, ...TranscriptLine[]]

/**
 * Formats a transcript as a readable conversation: one paragraph per turn in chronological order, with time and speaker, the translation
 * below it, and the notes at the end.
 */
export function formatDialogue(document: TranscriptDocument, doubt: DoubtChoice, layout = plainLayout): string {
  const texts = renderReportTexts(layout, document)
  const paragraphs = dialogueParagraphs(document, doubt)
  const blocks = [
    ...openingBlocks(texts).map((lines) => lines.join('\n')),
    formatHead(document, doubt).join('\n'),
    paragraphs.length > 0 ? paragraphs.join('\n\n') : lineInReadersLanguage(t('No speech was found.')),
    ...(doubt === 'only' ? [] : wholeTranslation(document).map((lines) => lines.join('\n'))),
    ...noteBlocks(document),
    ...[...closingBlocks(texts), ...(layout.hasFacts ? formatFoot(document) : [])].map((lines) => lines.join('\n')),
  ]
  return `${blocks.join('\n\n\n')}\n`
}

/** Returns the paragraphs of a dialogue: time, speaker and text, and the translation on the line below where there is one. */
export function dialogueParagraphs(document: TranscriptDocument, doubt: DoubtChoice = 'none'): string[] {
  const { transcription, translation } = document
  const hasNames = transcription.num_speakers > 1 || transcription.speaker_transcriptions.length > 1
  const isBySegment = translation && translation.segments.length + translation.speaker_translations.length > 0
  return listTurns(transcriptLines(document, doubt)).map((turn) => {
    const [first] = turn
    const name = hasNames && first.speaker !== null ? speakerTitle(first.speaker, document) : null
    const text = turn.map((line) => line.text).join(' ')
    const original = timedLine(clock(first.startMs), name, text, first.language)
    if (!isBySegment || first.isGap) return original
    return [original, ...translationLines(turn, translation.target_language)].join('\n')
  })
}

function listTurns(lines: TranscriptLine[]): Turn[] {
  const turns: Turn[] = []
  for (const line of lines) {
    if (line.text === '') continue
    const turn = turns.at(-1)
    if (turn && continues(line, turn)) turn.push(line)
    else turns.push([line])
  }
  return turns
}

function continues(line: TranscriptLine, turn: Turn): boolean {
  const [first] = turn
  const last = turn.at(-1) ?? first
  if (line.isGap || last.isGap || line.speaker !== last.speaker || line.language !== last.language) return false
  return line.startMs - last.endMs <= maxPauseMs && line.endMs - first.startMs <= maxTurnMs
}

/** Joins what was translated; a line that was not gets a separate line that says so. */
function translationLines(turn: Turn, targetLanguage: string): string[] {
  const groups: Turn[] = []
  for (const line of turn) {
    const group = groups.at(-1)
    if (group && isTranslated(line) && isTranslated(group[0])) group.push(line)
    else groups.push([line])
  }
  return groups.map((group) => {
    const [first] = group
    const text = group.flatMap((line) => line.translation?.text ?? []).join(' ')
    const isStale = group.some((line) => line.translation?.isStale)
    const joined = first.translation && { ...first.translation, text, ...(isStale && { isStale }) }
    return translationLine({ ...first, translation: joined }, targetLanguage)
  })
}

function isTranslated({ translation }: TranscriptLine): boolean {
  return translation !== null && translation.error === null && !translation.isNotTranslated && translation.text !== ''
}

function noteBlocks({ notes = [] }: TranscriptDocument): string[] {
  if (notes.length === 0) return []
  const lines = notes.flatMap(({ time, text, line }) => {
    const at = clock(toMs(time))
    const note = text
      ? timedLine(at, null, oneLine(text), null)
      : lineInReadersLanguage(`[${at}] ${line ? t('(flag)') : t('(bookmark)')}`)
    return line ? [note, `    ${directedLine(`“${oneLine(line.text)}”`, null)}`] : [note]
  })
  return [titledBlock(t('Notes'), lines).join('\n')]
}
