import { AppError } from '#contract/app-error.ts'
import { LibraryFilter, LibraryOrder, maxSavedFilters, type SavedFilter } from '#contract/library.ts'
import type { DatabaseConnection } from '../connect.ts'
import { toObjectId } from '../ids.ts'
import { isDuplicateKey } from '../model.ts'
import { insertInSlot } from '../slots.ts'
import { savedFilterModel, type SavedFilterDocument } from './saved-filter-model.ts'

/** Returns the saved filters of an owner by name, excluding any that this version cannot read. */
export async function listSavedFilters(connection: DatabaseConnection, ownerId: string): Promise<SavedFilter[]> {
  const found = await savedFilterModel(connection)
    .find({ ownerId: toObjectId(ownerId) })
    .sort({ name: 1 })
    .limit(maxSavedFilters)
    .lean<SavedFilterDocument[]>()
  return found.flatMap((document) => toSavedFilter(document) ?? [])
}

/** Saves a filter under a name, replacing any with the same name. Throws `conflict` where the owner has too many. */
export async function saveFilter(
  connection: DatabaseConnection,
  owner: string,
  { name, filter, ...order }: Omit<SavedFilter, 'id'>,
): Promise<SavedFilter> {
  const ownerId = toObjectId(owner)
  const model = savedFilterModel(connection)
  const limit = { model, scope: { ownerId }, max: maxSavedFilters, fullError: tooManyFilters }
  for (;;) {
    const replaced = await model.findOneAndUpdate({ ownerId, name }, { $set: { filter, order } }).lean()
    if (replaced) return { id: replaced._id.toHexString(), name, filter, ...order }
    try {
      const added = await insertInSlot(limit, (slot) => model.create({ ownerId, name, filter, order, slot }))
      return { id: added._id.toHexString(), name, filter, ...order }
    } catch (error) {
      // Another request has saved a filter with this name in the meantime; it is replaced.
      if (!isDuplicateKey(error, 'name')) throw error
    }
  }
}

/** Removes a saved filter. Returns whether it existed. */
export async function removeSavedFilter(connection: DatabaseConnection, ownerId: string, id: string): Promise<boolean> {
  const { deletedCount } = await savedFilterModel(connection).deleteOne({
    _id: toObjectId(id),
    ownerId: toObjectId(ownerId),
  })
  return deletedCount === 1
}

function toSavedFilter({ _id, name, filter, order }: SavedFilterDocument): SavedFilter | null {
  const [conditions, sorting] = [LibraryFilter.safeParse(filter).data, LibraryOrder.safeParse(order).data]
  return conditions && sorting ? { id: _id.toHexString(), name, filter: conditions, ...sorting } : null
}

function tooManyFilters(): AppError {
  return new AppError('conflict', `You can save at most ${maxSavedFilters} filters`, {
    help: 'Delete one that you no longer need, then try again.',
  })
}
