import { z } from 'zod'
import type { Segment, SpeakerTranscription, TranscriptionResult } from './transcription.ts'
import { joinLines } from './progress-text.ts'

/** Far above what a line of at most 30 s holds. */
export const maxLineCharacters = 5_000

/** Far above what a person edits at once. */
export const maxLinesPerEdit = 100

/** Above the number of lines of any recording. */
export const maxChangesPerRequest = 1_000

/** A line as a person wrote it. Times are seconds; `speaker` is a label of the transcription, missing where it has none. */
export const EditedLine = z.object({
  start: z.number().nonnegative(),
  end: z.number().nonnegative(),
  text: z.string().trim().min(1, 'A line must not be empty').max(maxLineCharacters),
  speaker: z.string().min(1).max(40).optional(),
})
export type EditedLine = z.infer<typeof EditedLine>

/** Indexes of lines in `segments` as the engine wrote them, ascending. */
const Indexes = z.array(z.int().nonnegative()).min(1).max(maxLinesPerEdit)

/**
 * Lines of the engine, and what a person made of them: one for one when the text was corrected, several for one when it was split, one for
 * several when they were joined. `lines` is null where the engine's own lines apply again.
 */
export const LineChange = z.object({
  from: Indexes,
  lines: z.array(EditedLine).min(1).max(maxLinesPerEdit).nullable(),
})
export type LineChange = z.infer<typeof LineChange>

/** A stored change; `revision` is that of the whole when it was written. No index is in two edits. */
export const LineEdit = LineChange.extend({ revision: z.int().positive() })
export type LineEdit = z.infer<typeof LineEdit>

/** What people edited in the lines of one transcription. `revision` grows with every change; 0: never edited. */
export const LineEdits = z.object({ revision: z.int().nonnegative(), edits: z.array(LineEdit) })
export type LineEdits = z.infer<typeof LineEdits>

export const noLineEdits: LineEdits = { revision: 0, edits: [] }

/** A line to show: a segment with the indexes of the engine's lines that it comes from. */
export type EditableSegment = Segment & {
  /** Indexes in `segments` as the engine wrote them. */
  from: number[]
  /** Set where a person changed it. */
  isEdited?: true
}

/**
 * Returns the lines to show, in order of time: those of the engine, replaced where a person edited them. Words keep their times where their
 * text is unchanged; the others get times in between and no confidence. Edits of indexes that the transcription lacks are ignored.
 */
export function editableSegments(transcription: TranscriptionResult, edits: LineEdits): EditableSegment[] {
  const { segments } = transcription
  const applied = edits.edits.filter(
    ({ from, lines }) => lines !== null && from.every((index) => index < segments.length),
  )
  const replaced = new Set(applied.flatMap(({ from }) => from))
  const kept = segments.flatMap((segment, index): EditableSegment[] => {
    return replaced.has(index) ? [] : [{ ...segment, from: [index] }]
  })
  const edited = applied.flatMap(({ from, lines }) => (lines ?? []).map((line) => toSegment(line, from, segments)))
  return edited.length === 0 ? kept : [...kept, ...edited].toSorted((a, b) => a.start - b.start)
}

/** Returns the transcription with the edited lines in place of the engine's; itself where nothing was edited. */
export function applyLineEdits(transcription: TranscriptionResult, edits: LineEdits): TranscriptionResult {
  if (!edits.edits.some(({ lines }) => lines !== null)) return transcription
  const segments = editableSegments(transcription, edits).map(
    ({ from: _, isEdited: __, ...segment }): Segment => segment,
  )
  const [only, ...more] = transcription.speaker_transcriptions
  const speakers = transcription.speaker_transcriptions.map((entry): SpeakerTranscription => {
    const own = segments.filter(({ speaker }) => (more.length === 0 ? true : speaker === entry.speaker))
    return { ...entry, transcription: joinLines(own), segment_count: own.length, segments: own }
  })
  return {
    ...transcription,
    transcription: joinLines(segments),
    segments,
    speaker_transcriptions: only ? speakers : [],
  }
}

function toSegment(line: EditedLine, from: number[], segments: Segment[]): EditableSegment {
  const first = segments[from[0] ?? 0]
  const { words: _, confidence: __, overlap: ___, ...rest } = first ?? { start: 0, end: 0, text: '' }
  return { ...rest, ...line, from, isEdited: true }
}
