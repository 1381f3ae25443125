import type { PipelineStage, QueryFilter, Types, UpdateQuery } from 'mongoose'
import type { DatabaseConnection } from '../connect.ts'
import { alertModel, type AlertDocument } from './alert-model.ts'

/**
 * Few enough that a command ends well within its time limit even on a busy machine, and that other requests are served between
 * two commands: each alert updates nine indexes.
 */
const alertsPerCommand = 200
const idsPerRead = 1_000

type AlertUpdate = UpdateQuery<AlertDocument> | (PipelineStage.Set | PipelineStage.Unset)[]

/**
 * Changes all alerts that match a filter, a bounded number per command. Returns how many were changed; what was changed before a
 * failure stays changed.
 *
 * @param filter supported by an index, so that changed alerts are not read again
 * @param update after which an alert no longer matches the filter
 */
export async function updateAlerts(
  connection: DatabaseConnection,
  filter: QueryFilter<AlertDocument>,
  update: AlertUpdate,
): Promise<number> {
  let changed = 0
  await forEachPart(connection, filter, async (part) => {
    const { modifiedCount } = await alertModel(connection).updateMany(part, update, {
      ...(Array.isArray(update) && { updatePipeline: true }),
    })
    changed += modifiedCount
  })
  return changed
}

/** Deletes all alerts that match a filter, a bounded number per command. */
export async function deleteAlerts(connection: DatabaseConnection, filter: QueryFilter<AlertDocument>): Promise<void> {
  await forEachPart(connection, filter, async (part) => {
    await alertModel(connection).deleteMany(part)
  })
}

/**
 * Runs a command for one part of the alerts after another; afterwards that part no longer matches the filter. Where another request
 * changes them back at the same time, each alert is processed once more at most: two such changes would chase each other forever.
 */
async function forEachPart(
  connection: DatabaseConnection,
  filter: QueryFilter<AlertDocument>,
  command: (part: QueryFilter<AlertDocument>) => Promise<void>,
): Promise<void> {
  const changed = new Set<string>()
  for (;;) {
    // Unsorted: few of the filters have an index for an order, and each page would sort all remaining alerts.
    const ids = await readIds(connection, filter)
    if (ids.some((id) => changed.has(id.toHexString()))) break
    await runInParts(ids, filter, command)
    if (ids.length < idsPerRead) return
    for (const id of ids) changed.add(id.toHexString())
  }
  let ids: Types.ObjectId[] = []
  do {
    const last = ids.at(-1)
    ids = await readIds(connection, last ? { $and: [filter, { _id: { $lt: last } }] } : filter, { _id: -1 })
    await runInParts(ids, filter, command)
  } while (ids.length === idsPerRead)
}

async function readIds(
  connection: DatabaseConnection,
  filter: QueryFilter<AlertDocument>,
  sort: { _id?: -1 } = {},
): Promise<Types.ObjectId[]> {
  const found = await alertModel(connection)
    .find(filter, { _id: 1 }, { sort })
    .limit(idsPerRead)
    .batchSize(idsPerRead)
    .lean<Pick<AlertDocument, '_id'>[]>()
  return found.map(({ _id }) => _id)
}

async function runInParts(
  ids: Types.ObjectId[],
  filter: QueryFilter<AlertDocument>,
  command: (part: QueryFilter<AlertDocument>) => Promise<void>,
): Promise<void> {
  for (let at = 0; at < ids.length; at += alertsPerCommand) {
    // The filter is repeated: another request may have changed an alert since.
    await command({ $and: [{ _id: { $in: ids.slice(at, at + alertsPerCommand) } }, filter] })
  }
}
