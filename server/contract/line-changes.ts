import {
  maxLineCharacters,
  maxLinesPerEdit,
  type EditableSegment,
  type EditedLine,
  type LineChange,
} from './line-edits.ts'
import type { Segment } from './transcription.ts'

type Line = Pick<EditableSegment, 'start' | 'end' | 'text' | 'speaker' | 'from' | 'words'>

/** Far shorter than anything audible; times are stored in milliseconds. */
const minLineSeconds = 0.01

/**
 * Changes the text or the speaker of a line. Here and below, `lines` are all lines that editableSegments returned: the other lines of the
 * same edit are kept.
 */
export function changeLine(
  lines: Line[],
  line: Line,
  change: Partial<Pick<EditedLine, 'text' | 'speaker'>>,
): LineChange {
  return replaceLines(lines, [line], [{ ...toEditedLine(line), ...change }])
}

/** Returns the change that restores the engine's lines, for all lines of an edit together. */
export function revertLine({ from }: Pick<Line, 'from'>): LineChange {
  return { from, lines: null }
}

/**
 * Splits a line before the character at `offset` (UTF-16 units of its text), never between a character and its marks. The time of the split
 * is between the adjacent words, proportional within a word, or, without words, proportional within the line. Returns null if a side would
 * be empty or the line is too short.
 */
export function splitLine(lines: Line[], line: Line, offset: number): LineChange | null {
  const at = characterStart(line.text, Math.max(0, offset))
  const [before, after] = [line.text.slice(0, at).trim(), line.text.slice(at).trim()]
  const time = Math.round(timeAt(line, at) * 1000) / 1000
  if (!before || !after) return null
  const [first, last] = [line.start + minLineSeconds, line.end - minLineSeconds]
  if (first > last) return null
  const cut = Math.min(last, Math.max(first, time))
  const whole = toEditedLine(line)
  return withinLimits(
    replaceLines(
      lines,
      [line],
      [
        { ...whole, end: cut, text: before },
        { ...whole, start: cut, text: after },
      ],
    ),
  )
}

/**
 * Joins lines into one with the speaker of the first. Returns null for a single line, or if the result would exceed the maximum length.
 */
export function joinSegments(lines: Line[], joined: Line[]): LineChange | null {
  const parts = joined.toSorted((a, b) => a.start - b.start)
  const [first] = parts
  if (!first || parts.length < 2) return null
  const end = Math.max(...parts.map((part) => part.end))
  const text = parts.map((part) => part.text).join(' ')
  return withinLimits(replaceLines(lines, parts, [{ ...toEditedLine(first), end, text }]))
}

/** Returns the change that replaces lines and keeps all other lines made by the same edits. */
function replaceLines(lines: Line[], replaced: Line[], by: EditedLine[]): LineChange {
  const from = new Set(replaced.flatMap((line) => line.from))
  const isReplaced = new Set(replaced.map(keyOf))
  const others = lines.filter((line) => line.from.some((index) => from.has(index)) && !isReplaced.has(keyOf(line)))
  const kept = others.map(toEditedLine)
  return {
    from: [...from].toSorted((a, b) => a - b),
    lines: [...kept, ...by].toSorted((a, b) => a.start - b.start),
  }
}

function withinLimits(change: LineChange): LineChange | null {
  const { from, lines } = change
  const isTooLong = lines?.some(({ text }) => text.length > maxLineCharacters) ?? false
  return isTooLong || from.length > maxLinesPerEdit || (lines?.length ?? 0) > maxLinesPerEdit ? null : change
}

/** Lines are copied when speakers are corrected, so they cannot be matched by object identity. */
function keyOf({ from, start, end, text }: Line): string {
  return JSON.stringify([from, start, end, text])
}

function toEditedLine({ start, end, text, speaker }: Line): EditedLine {
  return { start, end, text, ...(speaker !== undefined && { speaker }) }
}

/** Returns the start of the character, including its marks, that contains `offset`. */
function characterStart(text: string, offset: number): number {
  return new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text).containing(offset)?.index ?? offset
}

function timeAt(line: Line, offset: number): number {
  const placed = placeWords(line)
  const within = placed.find(({ from, to }) => from < offset && offset < to)
  if (within) return share(within.word, (offset - within.from) / (within.to - within.from))
  const before = placed.findLast(({ to }) => to <= offset)?.word
  const after = placed.find(({ from }) => from >= offset)?.word
  return before && after ? (before.end + after.start) / 2 : share(line, offset / line.text.length)
}

/** Returns the words with their positions in the text; a word that does not occur in the text is left out. */
function placeWords({ text, words = [] }: Pick<Segment, 'text' | 'words'>) {
  let searchFrom = 0
  return words.flatMap((word) => {
    const wanted = word.text.trim()
    const from = wanted ? text.indexOf(wanted, searchFrom) : -1
    if (from < 0) return []
    searchFrom = from + wanted.length
    return [{ word, from, to: searchFrom }]
  })
}

function share({ start, end }: { start: number; end: number }, part: number): number {
  return start + (end - start) * part
}
