import type { ListItem } from './list-items.ts'
import type { RowContext } from './line-row.tsx'

/** Of a heading, and of what is in a row beside its text lines. */
const headingPx = 56
const rowPaddingPx = 13
const lineHeightPx = 28
const characterPx = 8
/** Of time, speaker and menu. */
const otherColumnsPx = 190
const stackedBelowPx = 640
const metaLinePx = 26

/** Estimates the height of a row before it is measured, so that the list hardly moves when it is. */
export function estimateHeight(
  item: ListItem | undefined,
  { fields }: Pick<RowContext, 'fields'>,
  { width, isStacked }: { width: number; isStacked: boolean },
): number {
  if (!item?.line) return headingPx
  const { segment, translated } = item.line
  const isNarrow = width < stackedBelowPx
  const isBeside = fields.length > 1 && !isStacked && !isNarrow
  const textWidth = Math.max(160, (isNarrow ? width - 24 : width - otherColumnsPx) / (isBeside ? 2 : 1))
  const linesOf = (text: string) => Math.max(1, Math.ceil((text.length * characterPx) / textWidth))
  const lineCounts = fields.map((field) =>
    linesOf((field === 'original' ? segment?.text : translated?.translated_text) ?? ''),
  )
  const lineCount = isBeside ? Math.max(...lineCounts) : lineCounts.reduce((sum, count) => sum + count, 0)
  return rowPaddingPx + lineCount * lineHeightPx + (isNarrow ? metaLinePx : 0)
}
