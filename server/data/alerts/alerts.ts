import type { PipelineStage, QueryFilter, Types } from 'mongoose'
import { AlertState, type AlertFilter, type AlertSelection } from '#contract/alerts.ts'
import type { DatabaseConnection } from '../connect.ts'
import { newId, toObjectId } from '../ids.ts'
import { recordingModel } from '../recordings/recording-model.ts'
import { alertModel, type AlertDocument } from './alert-model.ts'
import { toAlertRecord, type AlertRecord } from './alert-record.ts'
import { alertRunModel } from './alert-run-model.ts'
import { updateAlerts } from './change-alerts.ts'

/** The recording of an alert. */
export interface AlertRecordingRecord {
  id: string
  name: string
  isCapped: boolean
}

export function createAlertRepository(connection: DatabaseConnection) {
  const alerts = alertModel(connection)

  /** Returns a page of alerts, newest first, those of one recording in order of time, and the total number. */
  async function list(
    ownerId: string,
    filter: AlertFilter,
    { cursor, limit }: { cursor?: string | undefined; limit: number },
  ): Promise<{ alerts: AlertRecord[]; total: number; cursor: string | null }> {
    const shown = toFilter(ownerId, filter)
    const [found, total] = await Promise.all([
      alerts
        .find(cursor ? { ...shown, _id: { $lt: toObjectId(cursor) } } : shown)
        .sort({ _id: -1 })
        .limit(limit + 1)
        .lean<AlertDocument[]>(),
      alerts.countDocuments(shown),
    ])
    const page = found.slice(0, limit).map(toAlertRecord)
    return { alerts: page, total, cursor: found.length > limit ? (page.at(-1)?.id ?? null) : null }
  }

  async function countUnread(ownerId: string): Promise<number> {
    return alerts.countDocuments(toFilter(ownerId, { state: 'new' }))
  }

  /** Returns the number of unread alerts by watch list. */
  async function countUnreadByList(ownerId: string): Promise<Map<string, number>> {
    const counts = await alerts.aggregate<{ _id: Types.ObjectId; count: number }>([
      { $match: toFilter(ownerId, { state: 'new' }) },
      { $group: { _id: '$watchListId', count: { $sum: 1 } } },
    ])
    return new Map(counts.map(({ _id, count }) => [_id.toHexString(), count]))
  }

  /** Sets the state of alerts. Returns how many changed, and the id of this change for `undo`. */
  async function setState(
    ownerId: string,
    selection: AlertSelection,
    state: AlertState,
  ): Promise<{ changed: number; changeId: string }> {
    const changeId = newId()
    const chosen: QueryFilter<AlertDocument> =
      'ids' in selection
        ? { _id: { $in: selection.ids.map(toObjectId) }, ownerId: toObjectId(ownerId) }
        : toFilter(ownerId, selection.filter)
    const update: PipelineStage.Set[] = [
      { $set: { previousState: '$state', changeId: toObjectId(changeId) } },
      { $set: { state: { $literal: state } } },
    ]
    // Every field of the index is named, so that it can be used.
    const others = {
      isGone: { $in: [false, true] },
      state: { $in: AlertState.options.filter((other) => other !== state) },
    }
    return { changed: await updateAlerts(connection, { $and: [chosen, others] }, update), changeId }
  }

  /** Restores the state alerts had before a change, except for those changed again since. Returns how many were restored. */
  async function undo(ownerId: string, changeId: string): Promise<number> {
    return updateAlerts(connection, { changeId: toObjectId(changeId), ownerId: toObjectId(ownerId) }, [
      { $set: { state: '$previousState' } },
      { $unset: ['changeId', 'previousState'] },
    ])
  }

  /** Returns the recordings of alerts by their ids. */
  async function findRecordings(ownerId: string, ids: string[]): Promise<Map<string, AlertRecordingRecord>> {
    const filter = { _id: { $in: ids.map(toObjectId) }, ownerId: toObjectId(ownerId) }
    const [recordings, runs] = await Promise.all([
      recordingModel(connection).find(filter, { name: 1 }).lean(),
      alertRunModel(connection)
        .find({ ...filter, isCapped: true }, { _id: 1 })
        .lean(),
    ])
    const capped = new Set(runs.map(({ _id }) => _id.toHexString()))
    return new Map(
      recordings.map(({ _id, name }) => {
        const id = _id.toHexString()
        return [id, { id, name, isCapped: capped.has(id) }]
      }),
    )
  }

  return { list, countUnread, countUnreadByList, setState, undo, findRecordings }
}

function toFilter(ownerId: string, filter: AlertFilter): QueryFilter<AlertDocument> {
  const { watch_list: watchListId, recording: recordingId, category, state } = filter
  return {
    ownerId: toObjectId(ownerId),
    isHidden: false,
    ...(watchListId && { watchListId: toObjectId(watchListId) }),
    ...(recordingId && { recordingId: toObjectId(recordingId) }),
    ...(category && { category: category === 'own' ? null : category }),
    ...(state === 'gone' && { isGone: true }),
    ...(state !== 'gone' && state !== 'all' && { isGone: false, state }),
  }
}
