import { readingDirection } from '../../../shared/ui/directional-text.tsx'
import type { ConversationLine } from './conversation-line.ts'
import { textOf, type LineField } from './search-lines.ts'

/**
 * Returns whether a line is read from right to left, against the direction of the page: then time and speaker stand at the right of its
 * first text.
 */
export function isTurned(line: ConversationLine, fields: readonly LineField[], target: string): boolean {
  if (!line.segment) return false
  const [field = 'original'] = fields
  const language = field === 'original' ? line.language : target
  return readingDirection(language, textOf(line, field)) === 'rtl'
}
