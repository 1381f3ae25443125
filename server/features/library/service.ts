import type { z } from 'zod'
import { AppError } from '#contract/app-error.ts'
import type { api } from '#contract/api.ts'
import type { Body, Query } from '#contract/endpoint.ts'
import type { LibraryRecording, LibrarySelection, TrashedRecording as Trashed } from '#contract/library.ts'
import { noProgress } from '#contract/review-state.ts'
import type { Queue } from '#data/jobs/queue.ts'
import { recordingHeldError } from '#data/holds/held.ts'
import { noHits } from '#data/library/entries.ts'
import { readFacets } from '#data/library/facets.ts'
import { findEntries, findSelected } from '#data/library/find-entries.ts'
import { readListed } from '#data/library/listed-recordings.ts'
import type { LibraryRow } from '#data/library/read-library.ts'
import { recordingState } from '#data/library/recording-state.ts'
import { listSavedFilters, removeSavedFilter, saveFilter } from '#data/library/saved-filters.ts'
import { changeTags } from '#data/library/tags.ts'
import { listTrash, moveToTrash, restoreFromTrash, type TrashedRecording } from '#data/library/trash.ts'
import type { Quota } from '#data/recordings/quota.ts'
import { sumRemovedBytes } from '#data/recordings/recordings.ts'
import { emptyTrash, type Deletion } from '#data/recordings/remove.ts'
import { presentWithJobs } from '../recordings/present.ts'

interface LibraryServiceDeps {
  queue: Queue
  quota: Pick<Quota, 'readUsage' | 'maxBytes'>
  trashMs: number
  /** Notifies engines that there may be work. */
  notifyEngines: () => void
}

/** Creates the actions of users on their library as a whole. */
export function createLibraryService({ queue, quota, trashMs, notifyEngines }: LibraryServiceDeps) {
  const { connection } = queue

  async function list(ownerId: string, query: Query<typeof api.library.list>) {
    const { sort, order, page, per_page: perPage, ...filter } = query
    const { rows, total } = await findEntries(connection, ownerId, { filter, order: { sort, order }, page, perPage })
    return { recordings: await present(ownerId, rows), total }
  }

  /** Returns the current recordings in the order of the rows, which only identify them. */
  async function present(ownerId: string, rows: LibraryRow[]): Promise<z.input<typeof LibraryRecording>[]> {
    const { recordings, jobs, progress } = await readListed(
      queue,
      ownerId,
      rows.map(({ id }) => id),
    )
    const listed = rows.flatMap(({ id, hits }) => {
      const recording = recordings.get(id)
      return recording ? [{ recording, hits }] : []
    })
    const presented = await presentWithJobs(
      queue,
      listed.map(({ recording }) => recording),
      jobs,
    )
    return presented.map(({ shown, jobs: own }, index) => ({
      ...shown,
      tags: listed[index]?.recording.tags ?? [],
      hits: listed[index]?.hits ?? noHits,
      state: recordingState(own),
      progress: progress.get(shown.id) ?? noProgress,
    }))
  }

  /** Throws `not_found` if ids were given and the user has none of them. */
  async function requireSelected(ownerId: string, selection: LibrarySelection): Promise<string[]> {
    const ids = await findSelected(connection, ownerId, selection)
    if (ids.length === 0 && 'ids' in selection) throw noneSelected()
    return ids
  }

  return {
    list,
    readFacets: (ownerId: string) => readFacets(connection, ownerId),

    /** Throws `on_hold` if nothing changes because every recording that would lose tags is on hold. */
    async changeTags(ownerId: string, { selection, add, remove }: Body<typeof api.library.tag>) {
      const ids = 'ids' in selection ? selection.ids : await findSelected(connection, ownerId, selection)
      const { found, ...outcome } = await changeTags(connection, ownerId, { ids, add, remove })
      if (found === 0 && 'ids' in selection) throw noneSelected()
      if (outcome.changed.length === 0 && outcome.held > 0) throw recordingHeldError()
      return outcome
    },

    /** Throws `on_hold` if all of them are on hold. */
    async remove(ownerId: string, selection: LibrarySelection) {
      const outcome = await moveToTrash(queue, ownerId, await requireSelected(ownerId, selection), trashMs)
      if (outcome.ids.length === 0 && outcome.held.length > 0) throw recordingHeldError()
      return outcome
    },

    /** Returns the ids of the restored recordings. */
    async restore(ownerId: string, ids: string[]): Promise<string[]> {
      const restored = await restoreFromTrash(queue, ownerId, ids)
      if (restored.length === 0) throw tooLate()
      notifyEngines()
      return restored
    },

    async listTrash(ownerId: string, { page, per_page: perPage }: Query<typeof api.library.listTrash>) {
      const { recordings, ...sums } = await listTrash(connection, ownerId, { page, perPage })
      return { recordings: recordings.map(presentTrashed), ...sums }
    },

    /** Deletes permanently. Returns the ids of what was deleted. Throws `not_found` if nothing selected is in the trash any more. */
    async emptyTrash(
      ownerId: string,
      body: Body<typeof api.library.emptyTrash>,
      deletion: Deletion,
    ): Promise<string[]> {
      const chosen = 'ids' in body ? body : { removedBy: new Date(body.removed_by) }
      const ids = await emptyTrash(queue, ownerId, chosen, deletion)
      if (ids.length === 0) throw notInTrash()
      return ids
    },

    async readStorage(ownerId: string) {
      const [used, trash] = await Promise.all([quota.readUsage(ownerId), sumRemovedBytes(connection, ownerId)])
      return { used, trash, quota: quota.maxBytes }
    },

    listFilters: (ownerId: string) => listSavedFilters(connection, ownerId),
    saveFilter: (ownerId: string, filter: Body<typeof api.library.saveFilter>) =>
      saveFilter(connection, ownerId, filter),

    async removeFilter(ownerId: string, id: string): Promise<void> {
      if (!(await removeSavedFilter(connection, ownerId, id))) throw new AppError('not_found', 'Filter not found')
    },
  }
}

function noneSelected(): AppError {
  return new AppError('not_found', 'These recordings are not in your library', { help: 'Load the list again.' })
}

function presentTrashed({ id, name, durationMs, sizeBytes, ...times }: TrashedRecording): z.input<typeof Trashed> {
  return {
    id,
    name,
    duration: durationMs / 1000,
    size: sizeBytes,
    created_at: times.createdAt.toISOString(),
    removed_at: times.deletedAt.toISOString(),
    restorable_until: times.purgeAt.toISOString(),
  }
}

function notInTrash(): AppError {
  return new AppError('not_found', 'These recordings are no longer in the trash', { help: 'Load the list again.' })
}

function tooLate(): AppError {
  return new AppError('not_found', 'These recordings can no longer be restored')
}
