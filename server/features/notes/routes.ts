import { api } from '#contract/api.ts'
import type { NoteRecord } from '#data/notes/notes.ts'
import type { AppRouter } from '#server/http/context.ts'
import { route } from '#server/http/route.ts'
import type { NoteService } from './service.ts'

const { editing } = api

/** Mounts the notes and the reviewed hits of recordings. */
export function mountNotes(router: AppRouter, { notes }: { notes: NoteService }): void {
  route(router, editing.listNotes, async ({ user, params }) => ({
    notes: (await notes.list({ ownerId: user.id, recordingId: params.id })).map(presentNote),
  }))

  route(router, editing.addNote, async ({ user, params, body }) => {
    return presentNote(await notes.add({ ownerId: user.id, recordingId: params.id }, body))
  })

  route(router, editing.changeNote, async ({ user, params, body }) => {
    const owner = { ownerId: user.id, recordingId: params.id }
    return presentNote(await notes.change(owner, { id: params.note_id, ...body }))
  })

  route(router, editing.removeNote, async ({ user, params }) => {
    await notes.remove({ ownerId: user.id, recordingId: params.id }, params.note_id)
    return { message: 'Note deleted' }
  })

  route(router, editing.listReviewedHits, async ({ user, params }) => ({
    reviewed: await notes.listReviewed({ ownerId: user.id, recordingId: params.id }),
  }))

  route(router, editing.reviewHit, async ({ user, params, body }) => {
    const owner = { ownerId: user.id, recordingId: params.id }
    return { reviewed: await notes.review(owner, { hits: body.hits, isReviewed: body.is_reviewed }) }
  })
}

function presentNote({ id, timeMs, text, createdAt, updatedAt }: NoteRecord) {
  return { id, time: timeMs / 1000, text, created_at: createdAt.toISOString(), updated_at: updatedAt.toISOString() }
}
