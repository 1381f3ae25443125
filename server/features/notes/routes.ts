import { api } from '#contract/api.ts'
import { toNotes, type NoteRecord } from '#data/notes/notes.ts'
import type { AppRouter } from '#server/http/context.ts'
import { route } from '#server/http/route.ts'
import type { RecordingAccessGuard } from '../recordings/recording-access.ts'
import type { NoteService } from './service.ts'

const { editing } = api

/** Mounts the endpoints for notes and reviewed hits of recordings. */
export function mountNotes(
  router: AppRouter,
  { notes, recordingAccess }: { notes: NoteService; recordingAccess: RecordingAccessGuard },
): void {
  const { requireReadableWith, requireEditable } = recordingAccess

  route(router, editing.listNotes, async ({ params, ...caller }) => {
    const { parts } = await requireReadableWith(caller, params.id, notes.notesRead)
    return { notes: toNotes(parts).map(presentNote) }
  })

  route(router, editing.addNote, async ({ params, body, ...caller }) => {
    const recording = await requireEditable(caller, params.id)
    return presentNote(await notes.add(recording, body))
  })

  route(router, editing.changeNote, async ({ params, body, ...caller }) => {
    const recording = await requireEditable(caller, params.id)
    return presentNote(await notes.change(recording, { id: params.note_id, ...body }))
  })

  route(router, editing.removeNote, async ({ params, ...caller }) => {
    await notes.remove(await requireEditable(caller, params.id), params.note_id)
    return { message: 'Note deleted' }
  })

  route(router, editing.listReviewedHits, async ({ params, ...caller }) => {
    const { parts } = await requireReadableWith(caller, params.id, notes.reviewedHitsRead)
    return { reviewed: parts[0]?.keys ?? [] }
  })

  route(router, editing.reviewHit, async ({ params, body, ...caller }) => {
    const recording = await requireEditable(caller, params.id)
    return { reviewed: await notes.review(recording, { hits: body.hits, isReviewed: body.is_reviewed }) }
  })
}

/** Presents a note as the API defines it. */
function presentNote({ id, timeMs, text, line, createdAt, updatedAt }: NoteRecord) {
  const moments = { created_at: createdAt.toISOString(), updated_at: updatedAt.toISOString() }
  return { id, time: timeMs / 1000, text, ...(line && { line }), ...moments }
}
