import { AppError } from '#contract/app-error.ts'
import type { AlertDigest, WatchListInput } from '#contract/alerts.ts'
import type { Clock } from '#data/clock.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { readAlertDigest, saveAlertDigest } from '#data/alerts/alert-digests.ts'
import { createAlertRepository } from '#data/alerts/alerts.ts'
import { createWatchListRepository, type WatchListFields, type WatchListRecord } from '#data/alerts/watch-lists.ts'

export type AlertService = ReturnType<typeof createAlerts>

interface AlertsDeps {
  connection: DatabaseConnection
  clock: Clock
  /** Whether mails are sent: without a mail server they would have to be handed over in person, which is pointless for an alert. */
  hasMailServer: boolean
}

/** Manages watch lists and the inbox of the alerts they raise. The engine raises the alerts: engine/library/raise-alerts.ts. */
export function createAlerts({ connection, clock, hasMailServer }: AlertsDeps) {
  const watchLists = createWatchListRepository(connection)
  const alerts = createAlertRepository(connection)

  /** Returns the watch lists, each with the number of its unread alerts. */
  async function listWatchLists(ownerId: string): Promise<{ watchList: WatchListRecord; unread: number }[]> {
    const [lists, unread] = await Promise.all([watchLists.list(ownerId), alerts.countUnreadByList(ownerId)])
    return lists.map((watchList) => ({ watchList, unread: unread.get(watchList.id) ?? 0 }))
  }

  async function withUnread(watchList: WatchListRecord): Promise<{ watchList: WatchListRecord; unread: number }> {
    const unread = await alerts.countUnreadByList(watchList.ownerId)
    return { watchList, unread: unread.get(watchList.id) ?? 0 }
  }

  /** Throws `conflict` if the owner has the maximum number of lists, or already has one with that name. */
  async function addWatchList(ownerId: string, input: WatchListInput): Promise<WatchListRecord> {
    return requireFree(await watchLists.insert(ownerId, toFields(input)))
  }

  /** Throws `not_found`, or `conflict` if another list has the name. */
  async function changeWatchList(ownerId: string, id: string, input: WatchListInput): Promise<WatchListRecord> {
    return requireFound(requireFree(await watchLists.update(ownerId, id, toFields(input))))
  }

  /** Throws `not_found`. */
  async function removeWatchList(ownerId: string, id: string): Promise<void> {
    if (!(await watchLists.remove(ownerId, id))) throw watchListNotFound()
  }

  /** Throws `not_found`, or `conflict` while the library is being scanned for this list. */
  async function startScan(ownerId: string, id: string): Promise<WatchListRecord> {
    const started = await watchLists.startScan(ownerId, id)
    if (started) return started
    requireFound(await watchLists.find(ownerId, id))
    throw new AppError('conflict', 'Your library is being scanned for this watch list already')
  }

  /** Throws `not_found`. */
  async function cancelScan(ownerId: string, id: string): Promise<WatchListRecord> {
    return requireFound(await watchLists.cancelScan(ownerId, id))
  }

  async function getDigest(ownerId: string): Promise<AlertDigest & { can_send: boolean }> {
    const { mode, hour, timeZone, withContent } = await readAlertDigest(connection, ownerId)
    return { mode, hour, time_zone: timeZone, with_content: withContent, can_send: hasMailServer }
  }

  async function changeDigest(ownerId: string, { mode, hour, ...choice }: AlertDigest) {
    const record = { ownerId, mode, hour, timeZone: choice.time_zone, withContent: choice.with_content }
    await saveAlertDigest(connection, record, new Date(clock.now()))
    return getDigest(ownerId)
  }

  return {
    list: alerts.list,
    countUnread: alerts.countUnread,
    setState: alerts.setState,
    undo: alerts.undo,
    findRecordings: alerts.findRecordings,
    listWatchLists,
    withUnread,
    addWatchList,
    changeWatchList,
    removeWatchList,
    startScan,
    cancelScan,
    getDigest,
    changeDigest,
  }
}

function toFields({ is_on: isOn, categories, words, tags, ...input }: WatchListInput): WatchListFields {
  return {
    ...input,
    isOn,
    categories: [...new Set(categories)],
    words: [...new Set(words)],
    tags: [...new Set(tags)],
  }
}

function requireFree<T>(written: T | 'taken'): T {
  if (written === 'taken') throw new AppError('conflict', 'You have a watch list of this name already')
  return written
}

function requireFound(found: WatchListRecord | null): WatchListRecord {
  if (!found) throw watchListNotFound()
  return found
}

function watchListNotFound(): AppError {
  return new AppError('not_found', 'Watch list not found')
}
