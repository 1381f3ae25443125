import { z } from 'zod'
import { MarkedLine } from './line-marks.ts'
import { Id, Moment } from './scalars.ts'

export const maxNoteCharacters = 2_000
export const maxNotesPerRecording = 1_000

/** The line to which a flag belongs: its end in seconds, and its words when it was flagged. */
export const FlaggedLine = MarkedLine.omit({ start: true })
export type FlaggedLine = z.infer<typeof FlaggedLine>

/** A note at a time of a recording; a bookmark if it has no text. `time` is in seconds from the start. A flag has a line. */
export const Note = z.object({
  id: Id,
  time: z.number().nonnegative(),
  text: z.string(),
  line: FlaggedLine.optional(),
  created_at: Moment,
  updated_at: Moment,
})
export type Note = z.infer<typeof Note>

/** The text of a note as sent in a request. Line breaks are stored as `\n`, tabs as spaces. */
export const NoteText = z
  .string()
  .overwrite((text) => text.replace(/\r\n?/g, '\n').replaceAll('\t', ' '))
  .trim()
  .max(maxNoteCharacters, `A note has at most ${maxNoteCharacters} characters`)
  .regex(/^(?:\n|\P{Cc})*$/u, 'A note has no control characters except line breaks')
