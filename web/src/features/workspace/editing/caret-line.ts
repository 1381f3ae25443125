/** Returns whether the character at `offset` is in the first and in the last line of a wrapped text. */
export function caretLine(element: HTMLElement, offset: number): { isFirst: boolean; isLast: boolean } {
  const node = element.firstChild
  const length = node?.textContent?.length ?? 0
  if (!node || length === 0) return { isFirst: true, isLast: true }
  const [caret, start, end] = [offset, 0, length - 1].map((at) => topOf(node, Math.min(at, length - 1)))
  // Letters of several scripts share a line although their boxes differ by a little.
  const isSameLine = (a = 0, b = 0) => Math.abs(a - b) < 4
  return { isFirst: isSameLine(caret, start), isLast: isSameLine(caret, end) }
}

function topOf(node: Node, offset: number): number {
  const range = document.createRange()
  range.setStart(node, offset)
  range.setEnd(node, offset + 1)
  return range.getClientRects()[0]?.top ?? 0
}
