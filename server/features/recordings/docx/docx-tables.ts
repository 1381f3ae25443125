import {
  Paragraph,
  ShadingType,
  Table,
  TableCell,
  TableLayoutType,
  TableRow,
  TextRun,
  WidthType,
  type IBordersOptions,
} from 'docx'
import type { ReportFact } from '#contract/formats/report-facts.ts'
import type { ReportRow, TranscriptReport } from '#contract/formats/report.ts'
import { clock } from '#contract/formats/time.ts'
import { isolateName } from '#contract/isolated-name.ts'
import { interfaceLanguages } from '#contract/texts/interface-languages.ts'
import { currentLanguage, t } from '#contract/texts/t.ts'
import { translateSentence } from '#contract/texts/translate-sentence.ts'
import { bodyWidth, cellMargins, colours, metaLineHeight, rowBorders, smallSize, voiceColours } from './docx-style.ts'
import { plainParagraph, plainRuns, textParagraph } from './docx-text.ts'

const factLabelWidth = 2_300
const noteTimeWidth = 1_200

/** Returns the table of facts. */
export function factsTable(facts: ReportFact[]): Table {
  const rows = facts.map(({ label, lines }) => {
    const values = lines.map((line) => wordsParagraph(line, { size: smallSize + 1 }))
    return row([[wordsParagraph(label, { color: colours.quiet, size: smallSize + 1 })], values])
  })
  return table(rows, [factLabelWidth, bodyWidth - factLabelWidth])
}

/** Returns a paragraph of the report's own wording, in the direction of its language. */
function wordsParagraph(text: string, style: Parameters<typeof plainRuns>[1]): Paragraph {
  const { direction } = interfaceLanguages[currentLanguage()]
  const children = plainRuns(text, style, direction)
  return new Paragraph({ ...(direction === 'rtl' && { bidirectional: true }), children })
}

/** Returns the table of lines: time, speaker and original, with the translation next to it if there is one. */
export function linesTable(report: TranscriptReport): Table {
  const { rows, languages, targetLanguage } = report
  const hasTranslation = targetLanguage !== null && report.wholeTranslation.length === 0
  const original =
    languages.length > 0 ? t('Original ({languages})', { languages: languages.join(t(', ')) }) : t('Original')
  const translation = t('Translation ({language})', { language: targetLanguage?.name ?? '' })
  const heads = hasTranslation ? [original, translation] : [original]
  const head = new TableRow({
    tableHeader: true,
    cantSplit: true,
    children: heads.map((text) => {
      const shading = { type: ShadingType.CLEAR, color: 'auto', fill: colours.sunken }
      return new TableCell({ shading, children: [plainParagraph(text, { run: { bold: true } })] })
    }),
  })
  const lines = rows.map((line) =>
    row(hasTranslation ? [originalCell(line), translationCell(line)] : [originalCell(line)]),
  )
  return table(
    [head, ...lines],
    heads.map(() => Math.floor(bodyWidth / heads.length)),
  )
}

/** Returns the table of notes: time and text. */
export function notesTable(notes: TranscriptReport['notes']): Table {
  const remark = { run: { italics: true, color: colours.quiet } }
  const rows = notes.map(({ timeMs, text, quote }) => {
    const written = text.pieces.map((piece) => piece.text).join('')
    const lines = written === '' ? [quote ? t('Flag') : t('Bookmark')] : written.split('\n')
    return row([
      [new Paragraph({ children: plainRuns(clock(timeMs), { color: colours.quiet }) })],
      [
        ...lines.map((line) => plainParagraph(line, written === '' ? remark : {})),
        ...(quote ? [textParagraph(quote, { run: { color: colours.quiet } })] : []),
      ],
    ])
  })
  return table(rows, [noteTimeWidth, bodyWidth - noteTimeWidth])
}

function table(rows: TableRow[], columnWidths: number[]): Table {
  return new Table({
    rows,
    columnWidths,
    width: { size: bodyWidth, type: WidthType.DXA },
    layout: TableLayoutType.FIXED,
    ...(interfaceLanguages[currentLanguage()].direction === 'rtl' && { visuallyRightToLeft: true }),
    borders: rowBorders as IBordersOptions,
    margins: cellMargins,
  })
}

/** A row never breaks across pages. */
function row(cells: Paragraph[][]): TableRow {
  return new TableRow({ cantSplit: true, children: cells.map((children) => new TableCell({ children })) })
}

function originalCell(line: ReportRow): Paragraph[] {
  const quiet = { color: colours.quiet, size: smallSize }
  const colour = voiceColours[line.voice ?? 0] ?? colours.ink
  const { direction } = line.original
  const speaker = line.speaker === null ? '' : isolateName(line.speaker)
  const meta = [
    ...plainRuns(clock(line.startMs), quiet, direction),
    ...(speaker === '' ? [] : plainRuns('   ', quiet, direction)),
    ...(speaker === '' ? [] : plainRuns(speaker, { bold: true, color: colour, size: smallSize }, direction)),
    ...(line.isEdited ? plainRuns(`   ${t('edited')}`, { ...quiet, italics: true }, direction) : []),
  ]
  const place = { spacing: { line: metaLineHeight, lineRule: 'exact' as const }, keepNext: true }
  return [
    new Paragraph({ ...place, ...(direction === 'rtl' && { bidirectional: true }), children: meta }),
    textParagraph(line.original, line.isGap ? { run: { italics: true, color: colours.quiet } } : {}),
  ]
}

function translationCell(line: ReportRow): Paragraph[] {
  const style = { spacing: { before: metaLineHeight } }
  const remark = { run: { italics: true, color: colours.quiet, size: smallSize } }
  if (line.isGap) return [new Paragraph({ children: [new TextRun('')] })]
  if (line.translation === null) {
    const text =
      line.translationError === null
        ? t('No translation available')
        : t('Error: {error}', { error: translateSentence(line.translationError) })
    return [plainParagraph(text, { style, ...remark })]
  }
  const translated = textParagraph(line.translation, { style })
  return line.isTranslationStale
    ? [translated, plainParagraph(t('Translated before the line was edited'), remark)]
    : [translated]
}
