import type { ConversationLine } from '../state/conversation-line.ts'
import { textOf, type LineField } from './search-lines.ts'

interface ShownTexts {
  /** Which texts the view shows. */
  fields: readonly LineField[]
  /** Whether missing translations are still to come. */
  isTranslating: boolean
}

const originalOnly: readonly LineField[] = ['original']

/** Returns which texts of a line to show. In a translation-only view, the original is shown until its translation arrives. */
export function shownFields(line: ConversationLine, { fields, isTranslating }: ShownTexts): readonly LineField[] {
  if (fields.includes('original')) return fields
  const isStillToCome = (isTranslating || line.isPartial) && textOf(line, 'translation') === ''
  return isStillToCome ? originalOnly : fields
}
