import { AppError } from '#contract/app-error.ts'
import { maxNotesPerRecording } from '#contract/notes.ts'
import { maxReviewedHits } from '#contract/endpoints/editing.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { countNotes, insertNote, listNotes, removeNote, removeNotes, updateNote } from '#data/notes/notes.ts'
import type { NoteOwner, NoteRecord } from '#data/notes/notes.ts'
import { markAnnotated } from '#data/recordings/annotations.ts'
import type { RecordingRecord } from '#data/recordings/recording-record.ts'
import { recordingNotFound, requireRecording } from '#data/recordings/recordings.ts'
import {
  addReviewedHits,
  dropReviewedHits,
  listReviewedHits,
  removeReviewedHits,
} from '#data/reviewed-hits/reviewed-hits.ts'
import { invalidInput } from '#server/http/parse.ts'

export type NoteService = ReturnType<typeof createNotes>

/** A browser's idea of a recording's length differs from the decoder's by up to this. */
const durationToleranceMs = 1_000

/**
 * Creates the notes and reviewed hits of recordings. Everything throws `not_found` where the owner has no such recording. Each change is
 * written first and announced with the recording last, so that one deleted meanwhile keeps nothing.
 */
export function createNotes({ connection }: { connection: DatabaseConnection }) {
  async function list(owner: NoteOwner): Promise<NoteRecord[]> {
    await requireRecording(connection, owner.ownerId, owner.recordingId)
    return listNotes(connection, owner)
  }

  /** `time` is in seconds. Throws `invalid_input` where it is after the end, `conflict` where the recording has the maximum of notes. */
  async function add(owner: NoteOwner, { time, text }: { time: number; text: string }): Promise<NoteRecord> {
    const recording = await requireRecording(connection, owner.ownerId, owner.recordingId)
    const timeMs = toTimeMs(time, recording)
    // Of two requests at once both may pass: the limit protects memory, not a rule of the product.
    if ((await countNotes(connection, owner)) >= maxNotesPerRecording) throw tooManyNotesError()
    const note = await insertNote(connection, owner, { timeMs, text })
    if (!(await markAnnotated(connection, owner))) {
      await removeNotes(connection, owner)
      throw recordingNotFound()
    }
    return note
  }

  /** Throws `not_found` where there is no such note, `invalid_input` as `add`. */
  async function change(
    owner: NoteOwner,
    { id, time, text }: { id: string; time?: number | undefined; text?: string | undefined },
  ): Promise<NoteRecord> {
    const recording = await requireRecording(connection, owner.ownerId, owner.recordingId)
    const timeMs = time === undefined ? undefined : toTimeMs(time, recording)
    const note = await updateNote(connection, owner, { id, timeMs, text })
    if (!note) throw noteNotFound()
    await markAnnotated(connection, owner)
    return note
  }

  /** Throws `not_found` where there is no such note. */
  async function remove(owner: NoteOwner, id: string): Promise<void> {
    await requireRecording(connection, owner.ownerId, owner.recordingId)
    if (!(await removeNote(connection, owner, id))) throw noteNotFound()
    await markAnnotated(connection, owner)
  }

  async function listReviewed(owner: NoteOwner): Promise<string[]> {
    await requireRecording(connection, owner.ownerId, owner.recordingId)
    return listReviewedHits(connection, owner)
  }

  /** Returns all reviewed hits afterwards. Throws `conflict` where there would be too many. */
  async function review(
    owner: NoteOwner,
    { hits, isReviewed }: { hits: string[]; isReviewed: boolean },
  ): Promise<string[]> {
    const before = await listReviewed(owner)
    if (isReviewed && new Set([...before, ...hits]).size > maxReviewedHits) throw tooManyReviewedError()
    const reviewed = await (isReviewed ? addReviewedHits : dropReviewedHits)(connection, owner, hits)
    if (!(await markAnnotated(connection, owner))) {
      await removeReviewedHits(connection, owner)
      throw recordingNotFound()
    }
    return reviewed
  }

  return { list, add, change, remove, listReviewed, review }
}

function toTimeMs(time: number, { durationMs }: RecordingRecord): number {
  const timeMs = Math.round(time * 1000)
  if (timeMs > durationMs + durationToleranceMs) throw invalidInput(['The time is after the end of the recording'])
  return Math.min(timeMs, durationMs)
}

function noteNotFound(): AppError {
  return new AppError('not_found', 'Note not found')
}

function tooManyNotesError(): AppError {
  return new AppError('conflict', `A recording has at most ${maxNotesPerRecording.toLocaleString('en')} notes`, {
    help: 'Delete notes that you no longer need.',
  })
}

function tooManyReviewedError(): AppError {
  const max = maxReviewedHits.toLocaleString('en')
  return new AppError('conflict', `At most ${max} hits of a recording can be marked as reviewed`)
}
