import { text } from 'node:stream/consumers'
import { AlignmentType, Document, Footer, Header, HeadingLevel, Packer, PageNumber, Paragraph, TextRun } from 'docx'
import { fromBufferPromise } from 'yauzl'
import type { ReportRow, TranscriptReport } from '#contract/formats/report.ts'
import { directionOf, type ReportText } from '#contract/formats/report-text.ts'
import { isolateName } from '#contract/isolated-name.ts'
import { keywordCategoryNames } from '#contract/keywords/keywords.ts'
import { interfaceLanguages } from '#contract/texts/interface-languages.ts'
import { currentLanguage, t } from '#contract/texts/t.ts'
import { translateSentence } from '#contract/texts/translate-sentence.ts'
import {
  colours,
  fontFor,
  headingSpacing,
  languageTag,
  page,
  rightToLeftSize,
  smallSize,
  textSize,
} from './docx-style.ts'
import { factsTable, linesTable, notesTable } from './docx-tables.ts'
import {
  templateParagraph,
  templateParagraphs,
  nameParagraph,
  pieceRuns,
  plainParagraph,
  plainRuns,
  textParagraph,
  xmlText,
} from './docx-text.ts'

/** Where a Word file stores its text (ECMA-376, part 1, 11.3.10). */
const documentPath = 'word/document.xml'

/** Returns the XML of a Word file's text. Throws for a ZIP archive that has none. */
async function readDocument(file: Buffer): Promise<string> {
  const zip = await fromBufferPromise(file)
  for await (const entry of zip.eachEntry()) {
    if (entry.fileName === documentPath) return text(await zip.openReadStreamPromise(entry))
  }
  throw new Error(`A Word file without ${documentPath}`)
}

const quiet = { color: colours.quiet, size: smallSize }

/** Placeholders in a text for numbers that Word counts. */
// oxlint-disable-next-line no-control-regex -- no text of the interface holds them
const fieldMark = /([\u0001\u0002])/

/** Runs state these properties only where they differ: an hour-long call has tens of thousands of runs. */
const documentRun = {
  font: fontFor(null),
  size: textSize,
  sizeComplexScript: rightToLeftSize,
  color: colours.ink,
  language: { value: languageTag('en') },
}

/**
 * Number of lines written at a time. The library creates several objects for each run and keeps a whole document in memory until it is
 * written: written at once, a three-hour call took 430 MB.
 */
const linesAtOnce = 250

/** Writes a report as a Word document (ECMA-376) on A4. The language of t() must not change until it is written. */
export async function writeDocx(report: TranscriptReport): Promise<Uint8Array> {
  const [first = [], ...later] = chunksOf(report.rows)
  const document = createDocument({ ...report, rows: first })
  const file = await Packer.toBuffer(document)
  if (later.length === 0) return file
  const laterRows: string[] = []
  for (const rows of later) laterRows.push(await writeRows({ ...report, rows }))
  const xml = await readDocument(file)
  const { end } = findLines(xml)
  const data = [xml.slice(0, end), ...laterRows, xml.slice(end)].join('')
  return Packer.toBuffer(document, undefined, [{ path: documentPath, data }])
}

function chunksOf(rows: ReportRow[]): ReportRow[][] {
  const count = Math.ceil(rows.length / linesAtOnce)
  return Array.from({ length: count }, (_, at) => rows.slice(at * linesAtOnce, (at + 1) * linesAtOnce))
}

/** Returns the XML of the rows of lines, without the surrounding table and its header row. */
async function writeRows(report: TranscriptReport): Promise<string> {
  const xml = await readDocument(
    await Packer.toBuffer(new Document({ sections: [{ children: [linesTable(report)] }] })),
  )
  const { start, end } = findLines(xml)
  return xml.slice(start, end)
}

/** Returns where the rows of the table of lines begin and end; this is the table whose header row repeats on each page. */
function findLines(xml: string): { start: number; end: number } {
  const endOfHead = '</w:tr>'
  const start = xml.indexOf(endOfHead, xml.indexOf('<w:tblHeader')) + endOfHead.length
  return { start, end: xml.indexOf('</w:tbl>', start) }
}

function createDocument(report: TranscriptReport): Document {
  const { rows, notes, wholeTranslation, targetLanguage } = report
  return new Document({
    title: xmlText(report.title),
    creator: 'Awaz',
    lastModifiedBy: 'Awaz',
    styles: { default: { document: { run: documentRun } } },
    sections: [
      {
        properties: {
          page: {
            size: { width: page.width, height: page.height },
            margin: { top: page.marginY, bottom: page.marginY, left: page.marginX, right: page.marginX },
          },
        },
        headers: { default: new Header({ children: [nameParagraph(report.title, { run: quiet })] }) },
        footers: { default: new Footer({ children: [pageNumbers()] }) },
        children: [
          ...opening(report),
          ...report.cautions.map((sentence) =>
            plainParagraph(t('Please note: {sentence}', { sentence: translateSentence(sentence) })),
          ),
          heading(t('Conversation')),
          ...legend(report),
          rows.length === 0 ? plainParagraph(t('No speech was found.')) : linesTable(report),
          ...(wholeTranslation.length > 0
            ? [heading(t('Translation ({language})', { language: targetLanguage?.name ?? '' }))]
            : []),
          ...wholeTranslation.map((text) => textParagraph(text)),
          ...(notes.length > 0 ? [heading(t('Notes')), notesTable(notes)] : []),
          ...templateParagraphs(report.templateTexts.closing, { before: 320 }),
          ...(report.facts.length > 0 ? [heading(t('About this transcript')), factsTable(report.facts)] : []),
        ],
      },
    ],
  })
}

/** The heading, which without a template is the name of the recording, and what a template puts before the transcript. */
function opening({ title, templateTexts }: TranscriptReport): Paragraph[] {
  const style = { heading: HeadingLevel.TITLE, spacing: { after: templateTexts.hasName ? 40 : 160 } }
  const run = { bold: true, size: 34 }
  const named = { style: { spacing: { after: 160 } }, run: { size: 26, color: colours.quiet } }
  return [
    templateTexts.heading
      ? templateParagraph(templateTexts.heading, { style, run })
      : nameParagraph(title, { style, run }),
    ...(templateTexts.heading && templateTexts.hasName
      ? [templateParagraph({ ...templateTexts.heading, pieces: [{ text: isolateName(title) }] }, named)]
      : []),
    ...templateParagraphs(templateTexts.introduction, { before: 0 }),
  ]
}

function heading(text: string): Paragraph {
  const direction = directionOf(text, null)
  const children = plainRuns(text, { bold: true, size: 26, color: colours.accent }, direction)
  const place = { heading: HeadingLevel.HEADING_1, spacing: headingSpacing, keepNext: true }
  return new Paragraph({ ...place, ...(direction === 'rtl' && { bidirectional: true }), children })
}

/** Explains the marks in the text; empty if there are none. */
function legend({ categories, hasUncertainWords, hasEditedLines }: TranscriptReport): Paragraph[] {
  const language = currentLanguage()
  const { direction } = interfaceLanguages[language]
  const words: ReportText = { pieces: [], language, direction }
  const entries = [
    ...categories.map((category) =>
      pieceRuns({ text: ` ${keywordCategoryNames[category].name} `, category }, words, quiet),
    ),
    ...(hasUncertainWords ? [pieceRuns({ text: t('uncertain'), isUncertain: true }, words, quiet)] : []),
    ...(hasEditedLines ? [plainRuns(t('edited: changed by a person'), { ...quiet, italics: true }, direction)] : []),
  ]
  if (entries.length === 0) return []
  const children = entries.flatMap((runs, index) => (index === 0 ? runs : [...plainRuns('     ', quiet), ...runs]))
  const marks = plainRuns(`${t('Marks:')}  `, quiet, direction)
  const isRightToLeft = direction === 'rtl' && { bidirectional: true }
  return [new Paragraph({ spacing: { after: 120 }, ...isRightToLeft, children: [...marks, ...children] })]
}

function pageNumbers(): Paragraph {
  const fields = { '\u0001': PageNumber.CURRENT, '\u0002': PageNumber.TOTAL_PAGES }
  const parts = t('Page {number} of {total}', { number: '\u0001', total: '\u0002' }).split(fieldMark)
  const children = parts.map((part) => (part in fields ? fields[part as keyof typeof fields] : part))
  const isRightToLeft = interfaceLanguages[currentLanguage()].direction === 'rtl'
  return new Paragraph({
    alignment: AlignmentType.CENTER,
    ...(isRightToLeft && { bidirectional: true }),
    children: [new TextRun({ ...quiet, children, ...(isRightToLeft && { rightToLeft: true }) })],
  })
}
