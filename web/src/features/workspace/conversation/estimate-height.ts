import type { ConversationItem } from './list-items.ts'
import { textOf, type LineField } from './search-lines.ts'

/** Of a heading, and of what is in a row beside its text lines. */
const headingPx = 56
const rowPaddingPx = 13
const lineHeightPx = 28
const characterPx = 8
/** Of time, speaker and menu. */
const otherColumnsPx = 190
/** The measure of line-list.module.css. */
const maxTextPx = 672
const stackedBelowPx = 640
const metaLinePx = 26

interface ListShape {
  fields: readonly LineField[]
  isStacked: boolean
  /** Of the list, in pixels. */
  width: number
}

/** Estimates the heights of rows before they are measured, so that the list hardly moves when they are. */
export function estimateHeights(items: readonly ConversationItem[], shape: ListShape): number[] {
  const { fields, isStacked, width } = shape
  const isNarrow = width < stackedBelowPx
  const isBeside = fields.length > 1 && !isStacked && !isNarrow
  const room = (isNarrow ? width - 24 : width - otherColumnsPx) / (isBeside ? 2 : 1)
  const textWidth = Math.min(maxTextPx, Math.max(160, room))
  return items.map(({ line }) => {
    if (!line) return headingPx
    const lineCounts = fields.map((field) => {
      return Math.max(1, Math.ceil((textOf(line, field).length * characterPx) / textWidth))
    })
    const lineCount = isBeside ? Math.max(...lineCounts) : lineCounts.reduce((sum, count) => sum + count, 0)
    return rowPaddingPx + lineCount * lineHeightPx + (isNarrow ? metaLinePx : 0)
  })
}
