import { api } from '#contract/api.ts'
import type { AppRouter } from '#server/http/context.ts'
import { route } from '#server/http/route.ts'
import type { Alert, WatchList } from '#contract/alerts.ts'
import type { AlertRecord } from '#data/alerts/alert-record.ts'
import type { AlertRecordingRecord } from '#data/alerts/alerts.ts'
import type { WatchListRecord } from '#data/alerts/watch-lists.ts'
import type { AlertService } from './service.ts'

export function mountAlerts(router: AppRouter, { alerts }: { alerts: AlertService }): void {
  mountInbox(router, alerts)
  mountWatchLists(router, alerts)
  route(router, api.alerts.getDigest, ({ user }) => alerts.getDigest(user.id))
  route(router, api.alerts.changeDigest, ({ user, body }) => alerts.changeDigest(user.id, body))
}

function mountInbox(router: AppRouter, alerts: AlertService): void {
  route(router, api.alerts.list, async ({ user, query: { cursor, limit, ...filter } }) => {
    const page = await alerts.list(user.id, filter, { cursor, limit })
    const recordingIds = [...new Set(page.alerts.map(({ recordingId }) => recordingId))]
    const [recordings, lists] = await Promise.all([
      alerts.findRecordings(user.id, recordingIds),
      alerts.listWatchLists(user.id),
    ])
    const watchLists = new Map(lists.map(({ watchList: { id, name } }) => [id, name]))
    const shown = page.alerts.map((alert) => presentAlert(alert, { recordings, watchLists }))
    return { alerts: shown, total: page.total, cursor: page.cursor }
  })

  route(router, api.alerts.count, async ({ user }) => ({ unread: await alerts.countUnread(user.id) }))

  route(router, api.alerts.setState, async ({ user, body }) => {
    const { changed, changeId } = await alerts.setState(user.id, body.selection, body.state)
    return { changed, change_id: changeId }
  })

  route(router, api.alerts.undo, async ({ user, body }) => ({ changed: await alerts.undo(user.id, body.change_id) }))
}

function mountWatchLists(router: AppRouter, alerts: AlertService): void {
  route(router, api.alerts.listWatchLists, async ({ user }) => ({
    watch_lists: (await alerts.listWatchLists(user.id)).map(presentWatchList),
  }))

  route(router, api.alerts.addWatchList, async ({ user, body }) =>
    presentWatchList({ watchList: await alerts.addWatchList(user.id, body), unread: 0 }),
  )

  route(router, api.alerts.changeWatchList, async ({ user, params, body }) =>
    presentWatchList(await alerts.withUnread(await alerts.changeWatchList(user.id, params.id, body))),
  )

  route(router, api.alerts.removeWatchList, async ({ user, params }) => {
    await alerts.removeWatchList(user.id, params.id)
    return { message: 'Watch list deleted' }
  })

  route(router, api.alerts.startScan, async ({ user, params }) =>
    presentWatchList(await alerts.withUnread(await alerts.startScan(user.id, params.id))),
  )

  route(router, api.alerts.cancelScan, async ({ user, params }) =>
    presentWatchList(await alerts.withUnread(await alerts.cancelScan(user.id, params.id))),
  )
}

function presentWatchList({ watchList, unread }: { watchList: WatchListRecord; unread: number }): WatchList {
  const { id, name, categories, words, texts, threshold, tags, isOn, createdAt, scan } = watchList
  return {
    id,
    name,
    categories,
    words,
    texts,
    threshold,
    tags,
    is_on: isOn,
    created_at: createdAt.toISOString(),
    unread,
    // Recordings may be added while it runs.
    scan: scan && { state: scan.state, done: scan.done, total: Math.max(scan.total, scan.done), raised: scan.raised },
  }
}

interface Names {
  watchLists: Map<string, string>
  recordings: Map<string, AlertRecordingRecord>
}

function presentAlert(alert: AlertRecord, { watchLists, recordings }: Names): Alert {
  const { id, watchListId, recordingId } = alert
  const recording = recordings.get(recordingId)
  return {
    id,
    watch_list: { id: watchListId, name: watchLists.get(watchListId) ?? '' },
    recording: { id: recordingId, name: recording?.name ?? '', is_capped: recording?.isCapped ?? false },
    time: alert.timeMs / 1000,
    speaker: alert.speaker,
    language: alert.language,
    word: alert.word,
    category: alert.category,
    is_similar: alert.isSimilar,
    is_translation: alert.isTranslation,
    sentence: alert.sentence,
    mark: [alert.markStart, alert.markEnd],
    state: alert.state,
    is_gone: alert.isGone,
    created_at: alert.createdAt.toISOString(),
  }
}
