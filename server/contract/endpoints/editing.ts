import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { CompactDetails, CompactQuery } from '../compact-details.ts'
import { LineChange, LineEdits, maxChangesPerRequest } from '../line-edits.ts'
import { FlaggedLine, maxNotesPerRecording, Note, NoteText } from '../notes.ts'
import { Id, IdParams, Message } from '../scalars.ts'
import { TranscriptionResult } from '../transcription.ts'
import { TranscriptVersion } from '../versions.ts'

const VersionParams = z.object({ id: Id, transcription_id: Id })
const NoteParams = z.object({ id: Id, note_id: Id })
/** The maximum number of hits that can be marked as reviewed in one recording. */
export const maxReviewedHits = 10_000

/** Identifies a keyword found in a line: see hitKey. */
const HitKey = z.string().min(1).max(200)

/** Seconds from the start; at most eleven days. */
const Time = z.number().min(0).max(1_000_000)

/** People's edits to a transcript: lines, versions, notes and reviewed hits. */
export const editing = {
  changeLines: endpoint({
    method: 'PATCH',
    path: '/api/recordings/:id/lines',
    access: 'user',
    summary:
      'Change lines of a transcription: correct, split, join, or return to what the engine wrote. `revision` is the one that the caller ' +
      'has seen: 409 where one of these lines was changed since, and nothing is stored',
    params: IdParams,
    body: z.object({
      transcription_id: Id,
      revision: z.int().nonnegative(),
      changes: z.array(LineChange).min(1).max(maxChangesPerRequest),
    }),
    response: LineEdits,
    errors: ['not_found', 'forbidden', 'conflict'],
  }),
  listVersions: endpoint({
    method: 'GET',
    path: '/api/recordings/:id/versions',
    access: 'user',
    summary: 'The transcriptions of a recording, newest first',
    params: IdParams,
    response: z.object({ versions: z.array(TranscriptVersion) }),
    heavy: 'whole',
    errors: ['not_found'],
  }),
  getVersion: endpoint({
    method: 'GET',
    path: '/api/recordings/:id/versions/:transcription_id',
    access: 'user',
    summary: 'One version of the transcript, as people edited it, with corrected speakers',
    params: VersionParams,
    response: TranscriptionResult,
    heavy: 'whole',
    errors: ['not_found'],
  }),
  restoreVersion: endpoint({
    method: 'POST',
    path: '/api/recordings/:id/versions/:transcription_id/restore',
    access: 'user',
    summary: 'Make a version current until the next transcription; the others stay',
    params: VersionParams,
    query: CompactQuery,
    response: CompactDetails,
    heavy: 'whole',
    errors: ['not_found'],
  }),
  listNotes: endpoint({
    method: 'GET',
    path: '/api/recordings/:id/notes',
    access: 'user',
    summary: 'The notes of a recording in order of time',
    params: IdParams,
    response: z.object({ notes: z.array(Note) }),
    errors: ['not_found'],
  }),
  addNote: endpoint({
    method: 'POST',
    path: '/api/recordings/:id/notes',
    access: 'user',
    summary: `Add a note, a bookmark without text, or a flag at a line; at most ${maxNotesPerRecording} per recording`,
    params: IdParams,
    body: z.object({ time: Time, text: NoteText.default(''), line: FlaggedLine.optional() }),
    response: Note,
    status: 201,
    limit: { max: maxNotesPerRecording, error: 'conflict' },
    errors: ['not_found', 'forbidden', 'conflict'],
  }),
  changeNote: endpoint({
    method: 'PATCH',
    path: '/api/recordings/:id/notes/:note_id',
    access: 'user',
    summary: 'Change the text or the time of a note',
    params: NoteParams,
    body: z.object({ time: Time.optional(), text: NoteText.optional() }),
    response: Note,
    errors: ['not_found', 'forbidden', 'on_hold'],
  }),
  removeNote: endpoint({
    method: 'DELETE',
    path: '/api/recordings/:id/notes/:note_id',
    access: 'user',
    summary: 'Delete a note',
    params: NoteParams,
    response: Message,
    errors: ['not_found', 'forbidden', 'on_hold'],
  }),
  listReviewedHits: endpoint({
    method: 'GET',
    path: '/api/recordings/:id/reviewed-hits',
    access: 'user',
    summary: 'Keys of the hits that were marked as reviewed',
    params: IdParams,
    response: z.object({ reviewed: z.array(z.string()) }),
    errors: ['not_found'],
  }),
  reviewHit: endpoint({
    method: 'PUT',
    path: '/api/recordings/:id/reviewed-hits',
    access: 'user',
    summary: 'Mark hits as reviewed or not; at most 1,000 at once and 10,000 per recording',
    params: IdParams,
    body: z.object({ hits: z.array(HitKey).min(1).max(1_000), is_reviewed: z.boolean() }),
    response: z.object({ reviewed: z.array(z.string()) }),
    limit: { max: maxReviewedHits, error: 'conflict' },
    errors: ['not_found', 'forbidden', 'conflict', 'on_hold'],
  }),
}
