import { z } from 'zod'
import { maxLineCharacters } from './line-edits.ts'
import { maxChannels } from './audio-channels.ts'
import { Id, Moment } from './scalars.ts'

/** More than the number of lines of any recording, including its other versions. */
export const maxMarksPerRecording = 20_000

export const maxDoubtReasonCharacters = 200

/** A line as seen by the person who marks it. Times are in seconds; `channel` is missing if the line has none. */
export const MarkedLine = z.object({
  start: z.number().nonnegative().max(1_000_000),
  end: z.number().nonnegative().max(1_000_000),
  channel: z
    .int()
    .nonnegative()
    .max(maxChannels - 1)
    .optional(),
  text: z.string().min(1).max(maxLineCharacters),
})
export type MarkedLine = z.infer<typeof MarkedLine>

/** Why a line is in doubt, in a few words. */
export const DoubtReason = z
  .string()
  .overwrite((text) => text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim())
  .max(maxDoubtReasonCharacters, `A reason has at most ${maxDoubtReasonCharacters} characters`)

/** A person; the name is empty if the account was deleted. */
const Person = z.object({ id: Id, name: z.string() })

/** Records that a person compared the words of a line with the recording. */
export const Verification = z.object({ by: Person, at: Moment })
export type Verification = z.infer<typeof Verification>

/** Records that a person marked a line as uncertain, or as certain. */
export const Doubt = z.object({ is_uncertain: z.boolean(), reason: z.string(), by: Person, at: Moment })
export type Doubt = z.infer<typeof Doubt>

/** The marks that people gave a passage and its words. They apply to every line with these words at that time, in any version. */
export const LineMark = MarkedLine.extend({ verified: z.array(Verification), doubt: Doubt.nullable() })
export type LineMark = z.infer<typeof LineMark>
