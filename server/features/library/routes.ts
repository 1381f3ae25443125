import { api } from '#contract/api.ts'
import type { Body } from '#contract/endpoint.ts'
import type { Queue } from '#data/jobs/queue.ts'
import type { Quota } from '#data/recordings/quota.ts'
import type { AppRouter } from '#server/http/context.ts'
import { presentPage } from '#server/http/page.ts'
import { route } from '#server/http/route.ts'
import type { RecordingTrail } from '../recordings/recording-trail.ts'
import { createLibraryService } from './service.ts'

const dayMs = 24 * 60 * 60_000
/** More than anyone selects by hand. For larger selections the events come one after another, and pages show them together. */
const maxVersions = 100

interface LibraryDeps {
  queue: Queue
  quota: Pick<Quota, 'readUsage' | 'maxBytes'>
  /** How long deleted recordings can be restored. */
  trashMs: number
  /** Notifies engines that there may be work. */
  notifyEngines: () => void
  trail: Pick<RecordingTrail, 'makeEvent' | 'record' | 'recordIds'>
}

/** Mounts /api/library with everything below it. */
export function mountLibrary(router: AppRouter, { trail, ...deps }: LibraryDeps): void {
  const library = createLibraryService(deps)

  route(router, api.library.list, async ({ query, user }) => {
    const { recordings, total } = await library.list(user.id, query)
    return { recordings, ...presentPage(query, total) }
  })

  route(router, api.library.facets, ({ user }) => library.readFacets(user.id))

  route(router, api.library.tag, async ({ body, user, origin }) => {
    const { changed, held, versions } = await library.changeTags(user.id, body)
    await trail.record({ user, origin }, 'tag', changed, describeTagging(body))
    return {
      changed: changed.length,
      ...(held > 0 && { held }),
      ...(versions.size > 0 && versions.size <= maxVersions && { versions: presentVersions(versions) }),
    }
  })

  route(router, api.library.remove, async ({ body, user, origin }) => {
    const { ids, held, restorableUntil } = await library.remove(user.id, body.selection)
    await trail.recordIds({ user, origin }, 'trash', { ownerId: user.id, ids })
    return {
      removed: ids.length,
      ids,
      restorable_until: restorableUntil.toISOString(),
      ...(held.length > 0 && { held_ids: held }),
    }
  })

  route(router, api.library.restore, async ({ body, user, origin }) => {
    const ids = await library.restore(user.id, body.ids)
    await trail.recordIds({ user, origin }, 'restore', { ownerId: user.id, ids })
    return { restored: ids.length }
  })

  route(router, api.library.listTrash, async ({ query, user }) => {
    const { recordings, total, sizeBytes } = await library.listTrash(user.id, query)
    const days = deps.trashMs / dayMs
    return { recordings, total_size: sizeBytes, days, ...presentPage(query, total) }
  })

  route(router, api.library.emptyTrash, async ({ body, user, origin }) => {
    const ids = await library.emptyTrash(user.id, body, trail.makeEvent({ user, origin }, 'delete'))
    return { deleted: ids.length }
  })

  route(router, api.library.storage, ({ user }) => library.readStorage(user.id))

  route(router, api.library.listFilters, async ({ user }) => ({ filters: await library.listFilters(user.id) }))

  route(router, api.library.saveFilter, ({ body, user }) => library.saveFilter(user.id, body))

  route(router, api.library.removeFilter, async ({ params, user }) => {
    await library.removeFilter(user.id, params.id)
    return { message: 'Filter deleted' }
  })
}

function presentVersions(versions: Map<string, number>) {
  return [...versions].map(([id, version]) => ({ recording_id: id, version }))
}

/** Describes how many tags a change adds and removes, but not which: a tag is content. */
function describeTagging({ add, remove }: Pick<Body<typeof api.library.tag>, 'add' | 'remove'>): string {
  const [added, removed] = [new Set(add).size, new Set(remove).size]
  return [
    ...(added > 0 ? [`${added} ${added === 1 ? 'tag' : 'tags'} added`] : []),
    ...(removed > 0 ? [`${removed} ${removed === 1 ? 'tag' : 'tags'} removed`] : []),
  ].join(', ')
}
