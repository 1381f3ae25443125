import { z } from 'zod'
import { Segment, TranscriptionProgress } from './transcription.ts'
import { TranslationProgress } from './translation.ts'

/**
 * One change to the text of a running job: at position `at`, `removed` lines are replaced by `lines`. A text without lines, such as a
 * translation, changes by characters (UTF-16 units) in the same way.
 */
export const TextChange = z.union([
  z.object({ at: z.int().nonnegative(), removed: z.int().nonnegative(), lines: z.array(Segment) }),
  z.object({ at: z.int().nonnegative(), removed: z.int().nonnegative(), text: z.string() }),
])
export type TextChange = z.infer<typeof TextChange>

/** The progress of a job, without its text. */
export const ProgressHead = z.union([
  TranscriptionProgress.omit({ partial_text: true, partial_segments: true }),
  TranslationProgress.omit({ partial_text: true }),
])
export type ProgressHead = z.infer<typeof ProgressHead>

/** The text of a job so far: as lines, or as a whole when `lines` is empty. */
export interface PartialText {
  lines: Segment[]
  text: string
}

export const noText: PartialText = { lines: [], text: '' }

/** Returns the text of a progress update, without repeating what its lines already contain. */
export function textOf(progress: TranscriptionProgress | TranslationProgress): PartialText {
  const lines = 'partial_segments' in progress ? progress.partial_segments : []
  return { lines, text: lines.length > 0 ? '' : progress.partial_text }
}

/** Returns a progress update with its text restored. */
export function withText(
  head: ProgressHead,
  { lines, text }: PartialText,
): TranscriptionProgress | TranslationProgress {
  const partial_text = lines.length > 0 ? joinLines(lines) : text
  return 'detected_language' in head ? { ...head, partial_text, partial_segments: lines } : { ...head, partial_text }
}

/** Returns the text after the changes as a new value. Of a change from a newer version, only the known fields are applied. */
export function applyChanges(before: PartialText, changes: Iterable<TextChange>): PartialText {
  const lines = [...before.lines]
  let { text } = before
  for (const change of changes) {
    if ('lines' in change) lines.splice(change.at, change.removed, ...change.lines)
    else text = text.slice(0, change.at) + change.text + text.slice(change.at + change.removed)
  }
  return { lines, text }
}

/** Joins lines as running text: a change of speaker begins a new line. */
export function joinLines(lines: readonly Pick<Segment, 'text' | 'speaker' | 'channel'>[]): string {
  return lines
    .map((line, index) => {
      const before = lines[index - 1]
      if (!before) return line.text
      return speakerOf(before) === speakerOf(line) ? ` ${line.text}` : `\n${line.text}`
    })
    .join('')
}

function speakerOf({ speaker, channel }: Pick<Segment, 'speaker' | 'channel'>): string | number | undefined {
  return speaker ?? channel
}
