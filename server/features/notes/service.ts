import { AppError } from '#contract/app-error.ts'
import type { FlaggedLine } from '#contract/notes.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { removePart, replacePart } from '#data/holds/removals.ts'
import {
  findNote,
  insertNote,
  notesRead,
  removeNote,
  removeNotes,
  updateNote,
  type NoteOwner,
  type NoteRecord,
} from '#data/notes/notes.ts'
import { markAnnotated } from '#data/recordings/annotations.ts'
import type { RecordingRecord } from '#data/recordings/recording-record.ts'
import { recordingNotFound } from '#data/recordings/recordings.ts'
import {
  addReviewedHits,
  dropReviewedHits,
  removeReviewedHits,
  reviewedHitsRead,
} from '#data/reviewed-hits/reviewed-hits.ts'
import { invalidInput } from '#server/http/parse.ts'

export type NoteService = ReturnType<typeof createNotes>

/** The length of a recording that a browser reports may differ from the decoder's by up to this much. */
const durationToleranceMs = 1_000

/**
 * Creates the service for notes and reviewed hits of recordings; callers have already checked who may read or change the recording. Each
 * change is written before it is announced with the recording, so that nothing is kept of a recording deleted in the meantime: this throws
 * `not_found`.
 */
export function createNotes({ connection }: { connection: DatabaseConnection }) {
  /** `time` is in seconds. Throws `invalid_input` if it is past the end, `conflict` if the recording has the maximum number of notes. */
  async function add(
    recording: RecordingRecord,
    { time, ...content }: { time: number; text: string; line?: FlaggedLine | undefined },
  ): Promise<NoteRecord> {
    const owner = ownerOf(recording)
    const timeMs = toTimeMs(time, recording)
    const note = await insertNote(connection, owner, { timeMs, ...content })
    if (!(await markAnnotated(connection, owner))) {
      await removeNotes(connection, owner)
      throw recordingNotFound()
    }
    return note
  }

  /** Throws `not_found` if there is no such note, `invalid_input` like `add`, and `on_hold` if text is removed from a recording on hold. */
  async function change(
    recording: RecordingRecord,
    { id, time, text }: { id: string; time?: number | undefined; text?: string | undefined },
  ): Promise<NoteRecord> {
    const owner = ownerOf(recording)
    const timeMs = time === undefined ? undefined : toTimeMs(time, recording)
    const update = () => updateNote(connection, owner, { id, timeMs, text })
    const before = await findNote(connection, owner, id)
    if (!before) throw noteNotFound()
    const note = await (text === '' && before.text !== ''
      ? removePart(connection, owner, update)
      : replacePart(connection, owner, {
          kind: 'note',
          state: { id, time: before.timeMs / 1000, text: before.text },
          replace: update,
        }))
    if (!note) throw noteNotFound()
    await markAnnotated(connection, owner)
    return note
  }

  /** Throws `not_found` if there is no such note, `on_hold` for a recording on hold. */
  async function remove(recording: RecordingRecord, id: string): Promise<void> {
    const owner = ownerOf(recording)
    if (!(await removePart(connection, owner, () => removeNote(connection, owner, id)))) throw noteNotFound()
    await markAnnotated(connection, owner)
  }

  /**
   * Returns all reviewed hits after the change. Throws `conflict` if there would be too many, `on_hold` if one is removed from a recording
   * on hold.
   */
  async function review(
    recording: RecordingRecord,
    { hits, isReviewed }: { hits: string[]; isReviewed: boolean },
  ): Promise<string[]> {
    const owner = ownerOf(recording)
    const reviewed = await (isReviewed
      ? addReviewedHits(connection, owner, hits)
      : removePart(connection, owner, () => dropReviewedHits(connection, owner, hits)))
    if (!(await markAnnotated(connection, owner))) {
      await removeReviewedHits(connection, owner)
      throw recordingNotFound()
    }
    return reviewed
  }

  return {
    add,
    change,
    remove,
    review,
    /** The database reads for a recording's notes and reviewed hits. */
    notesRead: (owner: NoteOwner) => notesRead(connection, owner),
    reviewedHitsRead: (owner: NoteOwner) => reviewedHitsRead(connection, owner),
  }
}

function ownerOf({ ownerId, id }: RecordingRecord): NoteOwner {
  return { ownerId, recordingId: id }
}

function toTimeMs(time: number, { durationMs }: RecordingRecord): number {
  const timeMs = Math.round(time * 1000)
  if (timeMs > durationMs + durationToleranceMs) throw invalidInput(['The time is after the end of the recording'])
  return Math.min(timeMs, durationMs)
}

function noteNotFound(): AppError {
  return new AppError('not_found', 'Note not found')
}
