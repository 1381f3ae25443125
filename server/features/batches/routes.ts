import type { z } from 'zod'
import { api } from '#contract/api.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { findRecordings } from '#data/recordings/recordings.ts'
import type { AppRouter } from '#server/http/context.ts'
import { presentPage } from '#server/http/page.ts'
import { route } from '#server/http/route.ts'
import type { Batch, BatchItem } from '#contract/batches.ts'
import type { BatchItemRecord } from '#data/batches/batch-items.ts'
import type { BatchRecord } from '#data/batches/batches.ts'
import type { RecordingRecord } from '#data/recordings/recording-record.ts'
import type { Batches } from './service.ts'

interface BatchRoutesDeps {
  connection: DatabaseConnection
  batches: Batches
}

/** Mounts /api/batches. */
export function mountBatches(router: AppRouter, { connection, batches }: BatchRoutesDeps): void {
  route(router, api.batches.create, async ({ body, user, origin }) =>
    presentBatch(await batches.create(user.id, body, { user, origin })),
  )

  route(router, api.batches.preview, async ({ body, user }) => batches.preview(user.id, body))

  route(router, api.batches.list, async ({ user }) => ({ batches: (await batches.list(user.id)).map(presentBatch) }))

  route(router, api.batches.get, async ({ params, query, user }) => {
    const batch = await batches.get(user.id, params.id)
    const paging = { page: query.page, perPage: query.per_page }
    const { items, total } = await batches.listItems(batch.id, query.state, paging)
    const ids = items.map(({ recordingId }) => recordingId)
    const recordings = await findRecordings(connection, user.id, ids)
    return {
      batch: presentBatch(batch),
      items: items.map((item) => presentItem(item, recordings)),
      ...presentPage(query, total),
    }
  })

  route(router, api.batches.cancel, async ({ params, user }) => presentBatch(await batches.cancel(user.id, params.id)))

  route(router, api.batches.retryFailed, async ({ params, user }) =>
    presentBatch(await batches.retryFailed(user.id, params.id)),
  )
}

function presentBatch(batch: BatchRecord): z.input<typeof Batch> {
  const { transcribe, state } = batch
  const [left, right] = transcribe?.channelLanguages ?? []
  return {
    id: batch.id,
    state: state === 'preparing' ? 'running' : state,
    transcribe: transcribe && {
      language: transcribe.language,
      channel_languages: left && right ? [left, right] : null,
      model: transcribe.model,
      names: transcribe.names,
      speaker_count: transcribe.speakerCount,
      split_voices: transcribe.splitVoices,
    },
    target_languages: batch.targetLanguages,
    redo: batch.redo,
    total: batch.total,
    counts: batch.counts,
    created_at: batch.createdAt.toISOString(),
    finished_at: batch.finishedAt?.toISOString() ?? null,
  }
}

function presentItem(item: BatchItemRecord, recordings: Map<string, RecordingRecord>): z.input<typeof BatchItem> {
  const { recordingId, state, reason } = item
  return { recording_id: recordingId, name: recordings.get(recordingId)?.name ?? null, state, reason }
}
