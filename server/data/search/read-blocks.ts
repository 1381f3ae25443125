import type { DatabaseConnection } from '../connect.ts'
import { toObjectId } from '../ids.ts'
import { toBytes } from '../jobs/packed-json.ts'
import { searchBlockModel, type SearchBlockDocument } from './search-block-model.ts'

/** Returns blocks of an owner's index by their ids; those that are gone are missing. */
export async function readBlocks(
  connection: DatabaseConnection,
  ownerId: string,
  ids: string[],
): Promise<Map<string, Uint8Array>> {
  if (ids.length === 0) return new Map()
  const found = await searchBlockModel(connection)
    .find({ _id: { $in: ids }, ownerId: toObjectId(ownerId) }, { data: 1 })
    .lean<SearchBlockDocument[]>()
  return new Map(found.map(({ _id, data }) => [_id, toBytes(data)]))
}
