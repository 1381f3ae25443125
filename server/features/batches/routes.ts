import { api } from '#contract/api.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { findRecordings } from '#data/recordings/recordings.ts'
import type { AppRouter } from '#server/http/context.ts'
import { presentPage } from '#server/http/page.ts'
import { route } from '#server/http/route.ts'
import { presentBatch, presentItem } from './present.ts'
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
