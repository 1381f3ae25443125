import {
  BorderStyle,
  Paragraph,
  ShadingType,
  TextRun,
  UnderlineType,
  type IParagraphOptions,
  type IRunOptions,
} from 'docx'
import { isolateName, isolatesToMarks, nameDirection } from '#contract/isolated-name.ts'
import { directionOf, splitByDirection, type ReportPiece, type ReportText } from '#contract/formats/report-text.ts'
import { categoryStyles, colours, fontFor, languageTag, rightToLeftSize, textSize } from './docx-style.ts'

type RunStyle = Pick<IRunOptions, 'bold' | 'italics' | 'color'> & { size?: number }
type ParagraphStyle = Omit<IParagraphOptions, 'children' | 'text' | 'bidirectional'>

/** XML 1.0 does not allow control characters; directions are set on runs and paragraphs. */
// oxlint-disable-next-line no-control-regex -- control characters are what it removes
const notInXml = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF\u202A-\u202E\u2066-\u2069]/g

/** Returns a text without the characters that a part of a Word file cannot hold: with them, Word refuses the whole file. */
export function xmlText(text: string): string {
  return text.toWellFormed().replace(notInXml, '')
}

/** Returns a paragraph with a text in its direction. */
export function textParagraph(
  text: ReportText,
  { style, run }: { style?: ParagraphStyle; run?: RunStyle } = {},
): Paragraph {
  const children = text.pieces.flatMap((piece) => pieceRuns(piece, text, run))
  return new Paragraph({ ...style, ...(text.direction === 'rtl' && { bidirectional: true }), children })
}

/**
 * Returns the runs of a text of unknown language, such as a name, within a paragraph of the given direction, left to right by default.
 * Marks replace isolates, which are not used in Word files.
 */
export function plainRuns(text: string, style: RunStyle = {}, direction: ReportText['direction'] = 'ltr'): TextRun[] {
  return pieceRuns({ text: isolatesToMarks(text) }, { pieces: [], language: null, direction }, style)
}

/** Returns a paragraph with a name, its parts in order. */
export function nameParagraph(name: string, { style, run }: { style?: ParagraphStyle; run: RunStyle }): Paragraph {
  const direction = nameDirection(name)
  const children = plainRuns(isolateName(name), run, direction)
  return new Paragraph({ ...style, ...(direction === 'rtl' && { bidirectional: true }), children })
}

/** Returns a paragraph with a text that contains isolated names, in its direction. */
export function templateParagraph(
  { pieces, direction }: ReportText,
  { style, run }: { style?: ParagraphStyle; run?: RunStyle } = {},
): Paragraph {
  const children = plainRuns(pieces.map(({ text }) => text).join(''), run, direction)
  return new Paragraph({ ...style, ...(direction === 'rtl' && { bidirectional: true }), children })
}

/** Returns the paragraphs of several texts, with space around the whole. */
export function templateParagraphs(texts: ReportText[], { before }: { before: number }): Paragraph[] {
  return texts.map((text, index) => {
    const spacing = { ...(index === 0 && { before }), ...(index === texts.length - 1 && { after: 160 }) }
    return templateParagraph(text, { style: { spacing, keepNext: index < texts.length - 1, keepLines: true } })
  })
}

/** Returns a paragraph with a text of unknown language. */
export function plainParagraph(
  text: string,
  { style, run }: { style?: ParagraphStyle; run?: RunStyle } = {},
): Paragraph {
  const direction = directionOf(text, null)
  return textParagraph(
    { pieces: [{ text }], language: null, direction },
    { ...(style && { style }), ...(run && { run }) },
  )
}

/** Returns the runs of a piece: one for each stretch of a single direction. */
export function pieceRuns(piece: ReportPiece, { language, direction }: ReportText, style: RunStyle = {}): TextRun[] {
  const { category, isUncertain } = piece
  const marks = category && categoryStyles[category]
  return splitByDirection(xmlText(piece.text), direction).map((stretch) => {
    const isRightToLeft = stretch.direction === 'rtl'
    return new TextRun({
      text: stretch.text,
      ...style,
      ...(style.size && { sizeComplexScript: Math.round((style.size * rightToLeftSize) / textSize) }),
      ...(isRightToLeft && language === 'ur' && { font: fontFor(language) }),
      ...(isRightToLeft && { rightToLeft: true }),
      ...(language !== null && { language: runLanguage(language, stretch.direction) }),
      ...(marks && {
        bold: true,
        shading: { type: ShadingType.CLEAR, color: 'auto', fill: marks.fill },
        border: { style: BorderStyle[marks.border], color: marks.colour, size: 4, space: 0 },
      }),
      ...(isUncertain && { underline: { type: UnderlineType.DOTTED, color: colours.quiet } }),
    })
  })
}

/** Names no language for a stretch that runs in the opposite direction, such as a Latin word in a Pashto text. */
function runLanguage(language: string, direction: ReportText['direction']) {
  if (directionOf('', language) !== direction) return {}
  return direction === 'rtl' ? { bidirectional: languageTag(language) } : { value: languageTag(language) }
}
