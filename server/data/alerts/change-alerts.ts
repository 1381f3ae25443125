import type { PipelineStage, QueryFilter, Types, UpdateQuery } from 'mongoose'
import type { DatabaseConnection } from '../connect.ts'
import { alertModel, type AlertDocument } from './alert-model.ts'

/**
 * Few enough that a command ends long before the time that one may take, also while the machine is busy with other things, and that others
 * are served in between: each alert changes nine indexes.
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

/** Runs a command, after which the filter finds its part no longer, for one part of the alerts after the other. */
async function forEachPart(
  connection: DatabaseConnection,
  filter: QueryFilter<AlertDocument>,
  command: (part: QueryFilter<AlertDocument>) => Promise<void>,
): Promise<void> {
  let ids: Types.ObjectId[]
  do {
    const found = await alertModel(connection)
      .find(filter, { _id: 1 })
      .limit(idsPerRead)
      .batchSize(idsPerRead)
      .lean<Pick<AlertDocument, '_id'>[]>()
    ids = found.map(({ _id }) => _id)
    for (let at = 0; at < ids.length; at += alertsPerCommand) {
      // With the filter again: another request may have changed one since.
      await command({ $and: [{ _id: { $in: ids.slice(at, at + alertsPerCommand) } }, filter] })
    }
  } while (ids.length === idsPerRead)
}
