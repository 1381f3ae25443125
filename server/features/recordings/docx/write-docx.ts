import { AlignmentType, Document, Footer, Header, HeadingLevel, Packer, PageNumber, Paragraph, TextRun } from 'docx'
import type { ReportText } from '#contract/formats/report-text.ts'
import type { TranscriptReport } from '#contract/formats/report.ts'
import { keywordCategoryNames } from '#contract/keywords/keywords.ts'
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
import { pieceRuns, plainParagraph, plainRuns, textParagraph, xmlText } from './docx-text.ts'

const quiet = { color: colours.quiet, size: smallSize }

/** What runs say only where they differ: a call of an hour has tens of thousands of them. */
const documentRun = {
  font: fontFor(null),
  size: textSize,
  sizeComplexScript: rightToLeftSize,
  color: colours.ink,
  language: { value: languageTag('en') },
}

/** Writes a report as a Word document (ECMA-376) on A4. */
export async function writeDocx(report: TranscriptReport): Promise<Uint8Array> {
  const { rows, notes, wholeTranslation, targetLanguage } = report
  const document = new Document({
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
        headers: { default: new Header({ children: [plainParagraph(report.title, { run: quiet })] }) },
        footers: { default: new Footer({ children: [pageNumbers()] }) },
        children: [
          plainParagraph(report.title, {
            style: { heading: HeadingLevel.TITLE, spacing: { after: 160 } },
            run: { bold: true, size: 34 },
          }),
          factsTable(report.facts),
          heading('Conversation'),
          ...legend(report),
          rows.length === 0 ? plainParagraph('No speech was found.') : linesTable(report),
          ...(wholeTranslation.length > 0 ? [heading(`Translation (${targetLanguage?.name ?? ''})`)] : []),
          ...wholeTranslation.map((text) => textParagraph(text)),
          ...(notes.length > 0 ? [heading('Notes'), notesTable(notes)] : []),
        ],
      },
    ],
  })
  return Packer.toBuffer(document)
}

function heading(text: string): Paragraph {
  const children = plainRuns(text, { bold: true, size: 26, color: colours.accent })
  return new Paragraph({ heading: HeadingLevel.HEADING_1, spacing: headingSpacing, keepNext: true, children })
}

/** Says what the marks of the text mean; nothing where there are none. */
function legend({ categories, hasUncertainWords, hasEditedLines }: TranscriptReport): Paragraph[] {
  const english: ReportText = { pieces: [], language: 'en', direction: 'ltr' }
  const entries = [
    ...categories.map((category) =>
      pieceRuns({ text: ` ${keywordCategoryNames[category].name} `, category }, english, quiet),
    ),
    ...(hasUncertainWords ? [pieceRuns({ text: 'uncertain', isUncertain: true }, english, quiet)] : []),
    ...(hasEditedLines ? [plainRuns('edited: changed by a person', { ...quiet, italics: true })] : []),
  ]
  if (entries.length === 0) return []
  const children = entries.flatMap((runs, index) => (index === 0 ? runs : [...plainRuns('     ', quiet), ...runs]))
  return [new Paragraph({ spacing: { after: 120 }, children: [...plainRuns('Marks:  ', quiet), ...children] })]
}

function pageNumbers(): Paragraph {
  const children = ['Page ', PageNumber.CURRENT, ' of ', PageNumber.TOTAL_PAGES]
  return new Paragraph({ alignment: AlignmentType.CENTER, children: [new TextRun({ ...quiet, children })] })
}
