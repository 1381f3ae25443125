import { foldKeyword, foldText } from '#contract/keywords/fold.ts'
import { createSpellingSearch } from '#contract/name-sounds/find-spellings.ts'
import type { ConversationLine } from '../state/conversation-line.ts'
import type { TextRange } from './split-text.ts'

export type LineField = 'original' | 'translation'

export type SelectShownFields = (line: ConversationLine) => readonly LineField[]

/** A place where the search text is found. */
export interface LineMatch extends TextRange {
  lineId: string
  field: LineField
  /** Set if the text has another spelling of the name searched for. */
  isSpelled?: true
}

interface FindOptions {
  /** Returns the texts of a line that are searched. */
  fieldsOf: SelectShownFields
  /** Whether a name is also found in other spellings. */
  hasSpellings: boolean
}

/** Searches lines for a text; `prepare` does in advance the work that would slow down the first search. */
export interface LineSearch {
  find: (lines: readonly ConversationLine[], query: string, options: FindOptions) => LineMatch[]
  prepare: (lines: readonly ConversationLine[]) => void
}

/**
 * Creates a search that compares text as keyword matching does, ignoring case, accents and interchangeable spellings of Arabic letters
 * (docs/decisions/keyword-matching.md). Each text is folded once.
 */
export function createLineSearch(): LineSearch {
  const folded = new Map<string, string>()
  const findSpellings = createSpellingSearch()

  function fold(text: string): string {
    let known = folded.get(text)
    if (known === undefined) {
      known = toString(foldText(text).units)
      folded.set(text, known)
    }
    return known
  }

  return {
    find(lines, query, { fieldsOf, hasSpellings }) {
      const wanted = foldKeyword(query)
      if (wanted === '') return []
      return lines.flatMap((line) =>
        fieldsOf(line).flatMap((field) => {
          const text = textOf(line, field)
          const typed = fold(text).includes(wanted) ? findRanges(text, wanted) : []
          const spelled = hasSpellings ? withoutOverlaps(findSpellings(query, text), typed) : []
          const ranges = spelled.length > 0 ? [...typed, ...spelled].toSorted((a, b) => a.start - b.start) : typed
          return ranges.map((range): LineMatch => ({ ...range, lineId: line.id, field }))
        }),
      )
    },
    prepare(lines) {
      for (const line of lines) {
        fold(textOf(line, 'original'))
        fold(textOf(line, 'translation'))
      }
    },
  }
}

/** Returns a text of a line as shown; empty if there is none. */
export function textOf({ segment, translated }: ConversationLine, field: LineField): string {
  if (field === 'original') return segment?.text ?? ''
  return translated?.error === null ? translated.translated_text : ''
}

function withoutOverlaps(marks: [number, number][], typed: TextRange[]): (TextRange & { isSpelled: true })[] {
  return marks
    .map(([start, end]) => ({ start, end, isSpelled: true as const }))
    .filter((range) => !typed.some(({ start, end }) => start < range.end && range.start < end))
}

/** Returns the non-overlapping ranges at which a folded text is found. */
function findRanges(text: string, wanted: string): TextRange[] {
  const { units, starts, ends } = foldText(text)
  const folded = toString(units)
  const ranges: TextRange[] = []
  for (let at = folded.indexOf(wanted); at >= 0; at = folded.indexOf(wanted, at + wanted.length)) {
    ranges.push({ start: starts[at] ?? 0, end: ends[at + wanted.length - 1] ?? text.length })
  }
  return ranges
}

function toString(units: number[]): string {
  return String.fromCharCode(...units)
}
