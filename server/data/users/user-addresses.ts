import type { Connection } from 'mongoose'
import type { Role } from '#contract/entities/user.ts'
import { toObjectId } from '../ids.ts'
import { userModel, type UserDocument } from './user-model.ts'

/** Looks up for many users at once who has an account, and with which role. */
export function createUserAddresses(connection: Connection) {
  const users = userModel(connection)

  /** Returns which of the addresses have an account, or with `isVerified`, a verified one. */
  async function findTaken(emails: string[], { isVerified }: { isVerified?: true } = {}): Promise<Set<string>> {
    const found = await users
      .find({ email: { $in: emails }, ...(isVerified && { isVerified }) }, { email: 1 })
      .lean<Pick<UserDocument, 'email'>[]>()
    return new Set(found.map(({ email }) => email))
  }

  /** Returns the roles of the users who exist and are active, by id. */
  async function findActiveRoles(ids: string[]): Promise<Map<string, Role>> {
    const found = await users
      .find({ _id: { $in: ids.map(toObjectId) }, isActive: true }, { role: 1 })
      .lean<Pick<UserDocument, '_id' | 'role'>[]>()
    return new Map(found.map(({ _id, role }) => [_id.toHexString(), role]))
  }

  return { findTaken, findActiveRoles }
}

export type UserAddresses = ReturnType<typeof createUserAddresses>
