import { AppError } from '#contract/app-error.ts'
import type { Role } from '#contract/entities/user.ts'
import type { Clock } from '#data/clock.ts'
import { isDuplicateKey } from '#data/model.ts'
import type { UserLists } from '#data/users/user-lists.ts'
import type { UserRecord } from '#data/users/user-record.ts'
import type { UserFields, UserRepository } from '#data/users/users.ts'
import type { RequestOrigin } from '#server/http/context.ts'
import type { PasswordHasher } from '#server/security/password-hasher.ts'
import { systemOrigin } from '../audit/service.ts'
import { createUserNames, emailTaken, usernameTaken } from './names.ts'
import { usernameKey } from './username-key.ts'

export interface NewUser {
  email: string
  username: string
  password: string
  firstName: string
  lastName: string
  role: Role
  isActive: boolean
  isVerified: boolean
  /** Somebody else chose the password: it must be changed at the first sign-in, and expires after TEMPORARY_PASSWORD_DAYS. */
  mustChangePassword?: boolean
  /** False where nobody knows the password: see UserDocument. Default true. */
  hasPassword?: boolean
  /** Whether the sign-in settings' grace period for a required second factor applies to the account. Default false. */
  hasTwoFactorGrace?: boolean
  /** See UserDocument. */
  language?: string | undefined
}

type LibraryClosureRecord = NonNullable<UserRecord['libraryClosure']>

interface UsersDeps {
  repository: UserRepository
  lists: UserLists
  clock: Clock
  hasher: Pick<PasswordHasher, 'hash'>
  temporaryPasswordDays: number
}

const dayMs = 24 * 60 * 60_000

/** Reads and writes users. Callers decide who may do so. */
export function createUsers({ repository, lists, clock, hasher, temporaryPasswordDays }: UsersDeps) {
  const { isUsernameFree, assertUsernameFree, assertEmailFree, rename } = createUserNames({ repository, update })

  function passwordExpiry(isTemporary: boolean): Date | null {
    return isTemporary ? new Date(clock.now() + temporaryPasswordDays * dayMs) : null
  }

  /** Returns a user. Throws `not_found`. */
  async function get(id: string): Promise<UserRecord> {
    const user = await repository.findById(id)
    if (!user) throw new AppError('not_found', 'User not found')
    return user
  }

  /** Creates a user. Throws `email_taken` or `username_taken`. */
  async function create(input: NewUser, origin: RequestOrigin = systemOrigin): Promise<UserRecord> {
    await assertEmailFree(input.email)
    await assertUsernameFree(input.username)
    const { password, hasTwoFactorGrace = false, mustChangePassword = false, ...fields } = input
    const passwordHash = await hasher.hash(password, { address: origin.ip, account: input.email })
    try {
      return await repository.insert({
        ...fields,
        usernameKey: usernameKey(input.username),
        passwordHash,
        mustChangePassword,
        passwordExpiresAt: passwordExpiry(mustChangePassword),
        twoFactorGrace: hasTwoFactorGrace ? 'since_creation' : null,
        createdAt: new Date(clock.now()),
      })
    } catch (error) {
      if (isDuplicateKey(error, 'email')) throw emailTaken()
      if (isDuplicateKey(error, 'usernameKey')) throw usernameTaken()
      throw error
    }
  }

  /** Changes fields and returns the user; with `closure`, closes the library in the same write. Throws `not_found`. */
  async function update(id: string, fields: UserFields, closure?: LibraryClosureRecord): Promise<UserRecord> {
    const changed = await repository.update(id, fields, closure)
    if (!changed) throw new AppError('not_found', 'User not found')
    return changed
  }

  async function setPassword(
    id: string,
    password: string,
    { mustChange, origin, closure }: { mustChange: boolean; origin: RequestOrigin; closure?: LibraryClosureRecord },
  ): Promise<UserRecord> {
    const passwordHash = await hasher.hash(password, { address: origin.ip, account: id })
    const passwordExpiresAt = passwordExpiry(mustChange)
    return update(id, { passwordHash, hasPassword: true, mustChangePassword: mustChange, passwordExpiresAt }, closure)
  }

  async function stats() {
    const { total, inactive, unverified, withoutTwoFactor } = await lists.count()
    return {
      total_users: total,
      active_users: total - inactive,
      verified_users: total - unverified,
      users_with_2fa: total - withoutTwoFactor,
    }
  }

  return {
    findById: repository.findById,
    findByEmail: repository.findByEmail,
    isActive: repository.isActive,
    replaceHash: repository.replaceHash,
    countActiveSuperAdmins: repository.countActiveSuperAdmins,
    remove: repository.remove,
    list: lists.list,
    stream: lists.stream,
    listIds: lists.listIds,
    findByIds: lists.findByIds,
    countUnused: lists.countUnused,
    get,
    isUsernameFree,
    assertEmailFree,
    create,
    rename,
    update,
    setPassword,
    stats,
  }
}

export type Users = ReturnType<typeof createUsers>
