import { BorderStyle, type IBordersOptions, type IParagraphStylePropertiesOptions } from 'docx'
import type { KeywordCategory } from '#contract/keywords/keywords.ts'

/** Text sizes are in half-points, all others in twentieths of a point. */
export const page = { width: 11_906, height: 16_838, marginX: 1_021, marginY: 1_134 }
export const bodyWidth = page.width - 2 * page.marginX
export const textSize = 21
/** Arabic script looks smaller than Latin at the same size. */
export const rightToLeftSize = 25
export const smallSize = 17
/** Height of the line with time and speaker, so that original and translation start at the same height. */
export const metaLineHeight = 260

export const colours = { quiet: '6B6A66', line: 'D3D0C8', sunken: 'F4F3EF', ink: '1F2328', accent: '0B6871' }

/** Colors of the voices in order: the same as on screen. */
export const voiceColours = ['4B56D2', '9A5F06', 'A81652', '4E4A09', '255E7F', '47137C', '5B1A03', '1E242E']

/** Background, ink and border of a category: the borders distinguish categories on paper without colors. */
export const categoryStyles: Record<
  KeywordCategory,
  { fill: string; colour: string; border: keyof typeof BorderStyle }
> = {
  threats: { fill: 'FBD9D5', colour: 'B3261E', border: 'SINGLE' },
  sentiment: { fill: 'EADCF9', colour: '7A3FBF', border: 'DOTTED' },
  intent: { fill: 'D8E8FA', colour: '1F63B5', border: 'DASHED' },
  custom: { fill: 'D6EDD8', colour: '2C7033', border: 'DOUBLE' },
}

/** Fonts that come with Word; a reader without them sees another font of the same script. */
const latinFont = 'Calibri'
const arabicFont = 'Times New Roman'
const nastaliqFont = 'Urdu Typesetting'

export function fontFor(language: string | null) {
  const complex = language === 'ur' ? nastaliqFont : arabicFont
  return { ascii: latinFont, hAnsi: latinFont, eastAsia: latinFont, cs: complex }
}

/** Returns the tag with the region by which Word's proofing tools are named: `ps-AF`. */
export function languageTag(language: string): string {
  const { region } = new Intl.Locale(language).maximize()
  return region ? `${language}-${region}` : language
}

const noBorder = { style: BorderStyle.NONE, size: 0, color: 'auto' }
const hairline = { style: BorderStyle.SINGLE, size: 4, color: colours.line }

/** Lines between rows only. */
export const rowBorders = {
  top: hairline,
  bottom: hairline,
  left: noBorder,
  right: noBorder,
  insideHorizontal: hairline,
  insideVertical: noBorder,
} satisfies IBordersOptions & Record<string, unknown>

export const cellMargins = { top: 60, bottom: 60, left: 100, right: 100 }

export const headingSpacing = { before: 320, after: 120 } satisfies IParagraphStylePropertiesOptions['spacing']
