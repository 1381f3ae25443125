import { randomUUID } from 'node:crypto'
import type { Role } from '#contract/entities/user.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { newId, toObjectId } from '#data/ids.ts'
import { userModel, type UserDocument } from '#data/users/user-model.ts'

export interface CopiedUser {
  id: string
  email: string
  username: string
}

export interface CopyUserOptions {
  /** Default super_admin. */
  role?: Role
  /** Default true. */
  mustChangePassword?: boolean
}

/** Makes an account a month old, so that its grace period without a required second factor is over. */
export async function endTwoFactorGrace(connection: DatabaseConnection, email: string): Promise<void> {
  const createdAt = new Date(Date.now() - 30 * 24 * 3_600_000)
  await userModel(connection).updateOne({ email: { $eq: email } }, { $set: { createdAt } })
}

/**
 * Stores a copy of the first super admin of a stack, who must not have signed in yet: with the same initial password and the same grace
 * period for the second factor.
 */
export async function copyFirstAdmin(
  connection: DatabaseConnection,
  firstEmail: string,
  { role = 'super_admin', mustChangePassword = true }: CopyUserOptions,
): Promise<CopiedUser> {
  const first = await userModel(connection).findOne({ email: firstEmail }).lean<UserDocument>()
  if (!first) throw new Error('There is no first admin')
  const username = `person-${randomUUID().slice(0, 8)}`
  const id = newId()
  const email = `${username}@example.org`
  await userModel(connection).create({
    ...first,
    _id: toObjectId(id),
    email,
    username,
    usernameKey: username,
    sortName: username,
    role,
    mustChangePassword,
    passwordExpiresAt: mustChangePassword ? first.passwordExpiresAt : null,
  })
  return { id, email, username }
}
