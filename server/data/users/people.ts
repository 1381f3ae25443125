import type { Types } from 'mongoose'
import type { Role } from '#contract/entities/user.ts'
import type { DatabaseConnection } from '../connect.ts'
import { toObjectId } from '../ids.ts'
import { userModel, type UserDocument } from './user-model.ts'

/** A user as seen by others: the name is the profile name, or else the username. */
export interface PersonRecord {
  id: string
  name: string
  email: string
  isActive: boolean
}

type NamedUser = Pick<UserDocument, '_id' | 'firstName' | 'lastName' | 'username' | 'email' | 'isActive'>

/** Returns users by their ids; those that do not exist are missing. */
export async function findPeople(connection: DatabaseConnection, ids: string[]): Promise<Map<string, PersonRecord>> {
  if (ids.length === 0) return new Map()
  const found = await userModel(connection)
    .find(
      { _id: { $in: [...new Set(ids)].map(toObjectId) } },
      { firstName: 1, lastName: 1, username: 1, email: 1, isActive: 1 },
    )
    .lean<NamedUser[]>()
  return new Map(found.map((user) => [user._id.toHexString(), toPerson(user)]))
}

/** Returns the roles of users by their ids; those that do not exist are missing. */
export async function findUserRoles(connection: DatabaseConnection, ids: string[]): Promise<Map<string, Role>> {
  const found = await userModel(connection)
    .find({ _id: { $in: [...new Set(ids)].map(toObjectId) } }, { role: 1 })
    .lean<Pick<UserDocument, '_id' | 'role'>[]>()
  return new Map(found.map(({ _id, role }) => [_id.toHexString(), role]))
}

/** Returns the ids of all users with one of the roles, with their roles. */
export async function listIdsOfRoles(
  connection: DatabaseConnection,
  roles: Role[],
): Promise<{ _id: Types.ObjectId; role: Role }[]> {
  return userModel(connection)
    .find({ role: { $in: roles } }, { role: 1 })
    .lean<{ _id: Types.ObjectId; role: Role }[]>()
}

function toPerson({ _id, firstName, lastName, username, email, isActive }: NamedUser): PersonRecord {
  return { id: _id.toHexString(), name: `${firstName} ${lastName}`.trim() || username, email, isActive }
}
