import type { EditableSegment, EditedLine, LineChange } from '#contract/line-edits.ts'

/** Returns a change as a return to the engine's lines where it makes the same of them. */
export function withoutCopies({ from, lines }: LineChange, written: readonly EditedLine[]): LineChange {
  const originals = from.flatMap((index) => written[index] ?? [])
  const isCopy =
    lines?.length === originals.length && originals.every((line, index) => isSameLine(line, lines[index] ?? line))
  return { from, lines: isCopy ? null : lines }
}

/** Returns the line of a list that has the origin, the times and the text of another one; their speakers may differ. */
export function findLine(
  lines: readonly EditableSegment[],
  { from, start, end, text }: EditableSegment,
): EditableSegment | undefined {
  return lines.find(
    (line) => line.start === start && line.end === end && line.text === text && line.from.join() === from.join(),
  )
}

function isSameLine(a: EditedLine, b: EditedLine): boolean {
  return a.start === b.start && a.end === b.end && a.text === b.text && a.speaker === b.speaker
}
