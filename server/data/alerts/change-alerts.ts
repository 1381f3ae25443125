import type { PipelineStage, QueryFilter, Types, UpdateQuery } from 'mongoose'
import type { DatabaseConnection } from '../connect.ts'
import { alertModel, type AlertDocument } from './alert-model.ts'

/**
 * Few enough that a command ends long before its time limit, even while the machine is busy with other things, and that others
 * are served between two commands: each alert changes nine indexes.
 */
const alertsPerCommand = 200
const idsPerRead = 1_000

type AlertUpdate = UpdateQuery<AlertDocument> | (PipelineStage.Set | PipelineStage.Unset)[]

/**
 * Changes all alerts that a filter finds, a bounded number with each command. Returns how many were changed; what was changed before a
 * failure stays changed.
 *
 * @param filter by an index, so that what was changed is not read again
 * @param update after which the filter no longer finds an alert
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

/** Deletes all alerts that a filter finds, a bounded number with each command. */
export async function deleteAlerts(connection: DatabaseConnection, filter: QueryFilter<AlertDocument>): Promise<void> {
  await forEachPart(connection, filter, async (part) => {
    await alertModel(connection).deleteMany(part)
  })
}

/**
 * Runs a command for one part of the alerts after the other; afterwards the filter no longer finds that part. Where somebody else changes
 * them back at the same time, each comes once more at most, by ids: two such changes would follow each other for ever.
 */
async function forEachPart(
  connection: DatabaseConnection,
  filter: QueryFilter<AlertDocument>,
  command: (part: QueryFilter<AlertDocument>) => Promise<void>,
): Promise<void> {
  const changed = new Set<string>()
  for (;;) {
    // Without an order, which few of the filters have an index for: each page would sort all alerts that are left.
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
    // With the filter again: another request may have changed one since.
    await command({ $and: [{ _id: { $in: ids.slice(at, at + alertsPerCommand) } }, filter] })
  }
}
