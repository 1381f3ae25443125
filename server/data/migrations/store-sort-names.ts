import { sortNameOf } from '../users/name-order.ts'
import { userModel, type UserDocument } from '../users/user-model.ts'
import type { Migration } from './migration.ts'

/** Accounts of earlier versions have no `sortName`, so lists sorted by name put them first. */
export const storeSortNames: Migration = {
  name: 'store-sort-names',
  dataVersion: 1,
  collection: 'users',
  filter: { sortName: null },
  pageSize: 200,
  documentsPerSecond: 1000,
  async migrate(connection, ids) {
    const users = userModel(connection)
    const found = await users
      .find({ _id: { $in: ids } }, { firstName: 1, lastName: 1, username: 1 })
      .batchSize(ids.length)
      .lean<UserDocument[]>()
    const updates = found.map(({ _id, firstName, lastName, username }) => {
      // Conditional on the names: a rename in the meantime stores the sort name of the new names.
      const names = { firstName, lastName, username }
      return { updateOne: { filter: { _id, ...names }, update: { $set: { sortName: sortNameOf(names) } } } }
    })
    await users.bulkWrite(updates, { ordered: false })
  },
}
