import type { ConversationLine } from '../state/conversation-line.ts'

type TimedLine = Pick<ConversationLine, 'id' | 'start' | 'end' | 'segment'>

/** Returns the part of the recording selected in the conversation, in seconds; undefined without a selection. */
export function selectedRange(lines: readonly TimedLine[]): { start: number; end: number } | undefined {
  return rangeInField(lines, document.activeElement) ?? rangeOfSelection(lines, document.getSelection())
}

/** Returns the selection within the line being edited. */
function rangeInField(lines: readonly TimedLine[], field: Element | null) {
  if (!(field instanceof HTMLTextAreaElement) || field.selectionStart === field.selectionEnd) return undefined
  const line = lineOf(lines, field)
  if (!line) return undefined
  const length = field.value.length
  return {
    start: timeAt(line, field.selectionStart, length, 'start'),
    end: timeAt(line, field.selectionEnd, length, 'end'),
  }
}

/** Returns the selection on the page, from its first line to its last. */
function rangeOfSelection(lines: readonly TimedLine[], selection: Selection | null) {
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return undefined
  const range = selection.getRangeAt(0)
  const [first, last] = [lineOf(lines, range.startContainer), lineOf(lines, range.endContainer)]
  if (!first || !last) return undefined
  if (first !== last) return { start: first.start, end: Math.max(first.end, last.end) }
  const text = first.segment?.text ?? ''
  const selected = range.toString().trim()
  const at = text.indexOf(selected)
  if (selected === '' || at < 0) return { start: first.start, end: first.end }
  return {
    start: timeAt(first, at, text.length, 'start'),
    end: timeAt(first, at + selected.length, text.length, 'end'),
  }
}

function lineOf(lines: readonly TimedLine[], node: Node): TimedLine | undefined {
  const element = node instanceof Element ? node : node.parentElement
  const id = element?.closest<HTMLElement>('[data-line]')?.dataset.line
  return lines.find((line) => line.id === id)
}

/**
 * Returns when the character at an offset is spoken: from the times of the words or, if the text differs from the words, from its relative
 * position in the line.
 */
function timeAt(line: TimedLine, offset: number, length: number, edge: 'start' | 'end'): number {
  const words = line.segment?.words ?? []
  let from = 0
  for (const word of words) {
    const at = line.segment?.text.indexOf(word.text.trim(), from) ?? -1
    if (at < 0) break
    const end = at + word.text.trim().length
    if (edge === 'start' ? offset < end : offset <= end) return edge === 'start' ? word.start : word.end
    from = end
  }
  return line.start + (line.end - line.start) * (length === 0 ? 0 : Math.min(1, offset / length))
}
