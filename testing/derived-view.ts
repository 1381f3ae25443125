import { search } from '#contract/endpoints/search.ts'
import { foldKeyword } from '#contract/keywords/fold.ts'
import { LibraryFilter } from '#contract/library.ts'
import { alertModel } from '#data/alerts/alert-model.ts'
import { alertRunModel } from '#data/alerts/alert-run-model.ts'
import { createAlertRepository } from '#data/alerts/alerts.ts'
import { toObjectId } from '#data/ids.ts'
import type { Queue } from '#data/jobs/queue.ts'
import { listJobsOfRecordings } from '#data/jobs/results.ts'
import { readFacets } from '#data/library/facets.ts'
import { findEntries } from '#data/library/find-entries.ts'
import { libraryEntryModel } from '#data/library/library-entry-model.ts'
import { recordingState, stateOfRank } from '#data/library/recording-state.ts'
import { findKeptRecordings } from '#data/recordings/lifecycle.ts'
import { recordingModel } from '#data/recordings/recording-model.ts'
import type { RecordingRecord } from '#data/recordings/recording-record.ts'
import { searchEntryModel } from '#data/search/search-entry-model.ts'
import { searchLinesModel } from '#data/search/search-lines-model.ts'
import { readRecordingText } from '#engine/library/read-recording-text.ts'
import { createSearch } from '#server/features/search/service.ts'

/** What the product shows of an owner's recordings from derived data. */
export interface DerivedView {
  list: { id: string; name: string; tags: string[]; state: string }[]
  facets: { total: number; states: Record<string, number>; tags: Record<string, number> }
  /** Recordings that a search for the word finds. */
  found: string[]
  /** The number of alerts shown for each recording. */
  alerts: Record<string, number>
  /** Recordings that are deleted but still have stored data, or that are in the trash but still shown. */
  remains: string[]
}

/** Creates functions to compare the product's view of an owner's recordings with the recordings. `word` is searched for and watched. */
export function createViews(queue: Queue, word: string) {
  const { connection } = queue
  const { find } = createSearch({ connection })
  const alerts = createAlertRepository(connection)

  async function readList(ownerId: string): Promise<DerivedView['list']> {
    const filter = LibraryFilter.parse({})
    const order = { sort: 'created' as const, order: 'desc' as const }
    const { rows } = await findEntries(connection, ownerId, { filter, order, page: 1, perPage: 100_000 })
    const list = rows.map(({ id, foldedName, tags, state }) => ({
      id,
      name: foldedName,
      tags,
      state: stateOfRank(state),
    }))
    return list.toSorted(byId)
  }

  async function readFound(ownerId: string): Promise<string[]> {
    const ids: string[] = []
    for (let cursor: string | null | undefined; cursor !== null;) {
      const request = search.find.query.parse({ q: word, ...(cursor !== undefined && { cursor }) })
      const page = await find(ownerId, request, new AbortController().signal)
      ids.push(...page.calls.map(({ recording }) => recording.id))
      cursor = page.cursor
    }
    return ids.toSorted()
  }

  async function countAlerts(ownerId: string): Promise<Record<string, number>> {
    const ids: string[] = []
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = await alerts.list(ownerId, { state: 'new' }, { cursor: cursor ?? undefined, limit: 200 })
      ids.push(...page.alerts.map(({ recordingId }) => recordingId))
      cursor = page.cursor
    }
    return countEach(ids)
  }

  async function findRemains(ownerId: string): Promise<string[]> {
    const own = { ownerId: toObjectId(ownerId) }
    const derived = [
      ...(
        await libraryEntryModel(connection)
          .find({ ...own, deletedAt: null })
          .lean()
      ).map(({ _id }) => _id),
      ...(await searchEntryModel(connection).find(own).lean()).map(({ _id }) => _id),
      ...(await searchLinesModel(connection).find(own, { recordingId: 1 }).lean()).map((lines) => lines.recordingId),
      ...(await alertModel(connection).find(own, { recordingId: 1 }).lean()).map((alert) => alert.recordingId),
      ...(await alertRunModel(connection).find(own).lean()).map(({ _id }) => _id),
    ].map((id) => id.toHexString())
    const kept = new Map((await findOwn(ownerId)).map((recording) => [recording.id, recording]))
    const remains = new Set(derived.filter((id) => !kept.has(id)))
    for (const { id, deletedAt } of kept.values()) {
      if (deletedAt === null) continue
      const isListed = await libraryEntryModel(connection).exists({ _id: toObjectId(id), ...own, isRemoved: false })
      const isAlerting = await alertModel(connection).exists({ ...own, recordingId: toObjectId(id), isHidden: false })
      if (isListed || isAlerting) remains.add(id)
    }
    return [...remains]
  }

  async function findOwn(ownerId: string): Promise<RecordingRecord[]> {
    const stored = await recordingModel(connection)
      .find({ ownerId: toObjectId(ownerId) }, { _id: 1 })
      .lean()
    const ids = stored.map(({ _id }) => _id.toHexString())
    return [...(await findKeptRecordings(connection, ids)).values()]
  }

  return {
    /** Returns what the product shows. */
    async shown(ownerId: string): Promise<DerivedView> {
      const { total, states, tags } = await readFacets(connection, ownerId)
      return {
        list: await readList(ownerId),
        facets: {
          total,
          states: Object.fromEntries(states.map(({ state, count }) => [state, count])),
          tags: Object.fromEntries(tags.map(({ tag, count }) => [tag, count])),
        },
        found: await readFound(ownerId),
        alerts: await countAlerts(ownerId),
        remains: await findRemains(ownerId),
      }
    },

    /** Returns what should be shown according to recordings, jobs and edits. */
    async expected(ownerId: string): Promise<DerivedView> {
      const live = (await findOwn(ownerId)).filter(({ deletedAt }) => deletedAt === null)
      const list: DerivedView['list'] = []
      const hits: string[] = []
      for (const recording of live) {
        const jobs = await listJobsOfRecordings(queue, ownerId, [recording.id])
        const { lines } = await readRecordingText(queue, recording, jobs)
        hits.push(...lines.filter(({ text }) => text.includes(word)).map(() => recording.id))
        const { id, name, tags = [] } = recording
        list.push({ id, name: foldKeyword(name), tags, state: recordingState(jobs) })
      }
      return {
        list: list.toSorted(byId),
        facets: {
          total: list.length,
          states: countEach(list.map(({ state }) => state)),
          tags: countEach(list.flatMap(({ tags }) => tags)),
        },
        found: [...new Set(hits)].toSorted(),
        alerts: countEach(hits),
        remains: [],
      }
    },
  }
}

function byId(a: { id: string }, b: { id: string }): number {
  return a.id < b.id ? -1 : 1
}

function countEach(names: string[]): Record<string, number> {
  return Object.fromEntries([...Map.groupBy(names, (name) => name)].map(([name, all]) => [name, all.length]))
}
