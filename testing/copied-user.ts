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

/** Makes an account as old as a month, so that its days of grace without a required second factor are over. */
export async function endTwoFactorGrace(connection: DatabaseConnection, email: string): Promise<void> {
  const createdAt = new Date(Date.now() - 30 * 24 * 3_600_000)
  await userModel(connection).updateOne({ email: { $eq: email } }, { $set: { createdAt } })
}

/**
 * Stores another user like the first super admin of a stack to which that admin has not signed in yet: with the same initial password and
 * with the same days of grace for the second factor.
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
