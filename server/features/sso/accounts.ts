import { AppError } from '#contract/app-error.ts'
import type { Clock } from '#data/clock.ts'
import type { IdentityRepository } from '#data/identities/identities.ts'
import type { SignInProviderRecord } from '#data/sign-in-providers/sign-in-providers.ts'
import type { UserRecord } from '#data/users/user-record.ts'
import type { RequestOrigin } from '#server/http/context.ts'
import type { Role } from '#contract/entities/user.ts'
import type { Audit } from '../audit/service.ts'
import type { Sessions } from '../sessions/service.ts'
import type { Users } from '../users/service.ts'
import type { SuperAdminGuard } from '../users/super-admin-guard.ts'
import { addressOf, type Refusal, refusalOf, roleOf } from './admission.ts'
import { deniedError } from './denied.ts'
import type { ExternalIdentity } from './external-identity.ts'
import { createProvidedUsers } from './provided-users.ts'

interface RoleChangeDeps {
  users: Pick<Users, 'update'>
  sessions: Pick<Sessions, 'endAll'>
  guard: SuperAdminGuard
  audit: Pick<Audit, 'record'>
}

interface Change {
  user: UserRecord
  role: Role
  provider: SignInProviderRecord
}

/** Gives people the role that goes with their groups at the provider. */
function createRoleChange({ users, sessions, guard, audit }: RoleChangeDeps) {
  /** Changes the role and ends the sessions that had the old one. The last active super admin remains one. */
  return async function followRole({ user, role, provider }: Change, origin: RequestOrigin): Promise<UserRecord> {
    const apply = () => users.update(user.id, { role })
    const entry = { action: 'auth.sso_role', actor: user, target: user.email }
    const details = `${user.role} to ${role} by ${provider.settings.name}`
    try {
      const changed = user.role === 'super_admin' ? await guard.revokeRights(user.id, apply) : await apply()
      await sessions.endAll(user.id)
      await audit.record({ ...entry, outcome: 'success', details }, origin)
      return changed
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'conflict')) throw error
      await audit.record({ ...entry, outcome: 'denied', details: `${details}: the last super admin` }, origin)
      return user
    }
  }
}

/** The account of the person; with `link`, an account with the same address that must be proven before it is linked. */
export type ResolvedAccount = { kind: 'user' | 'link'; user: UserRecord }

interface AccountsDeps {
  identities: Pick<IdentityRepository, 'find' | 'link' | 'listByOwner' | 'removeByOwner'>
  /** Whether a provider still exists. */
  hasProvider: (id: string) => Promise<boolean>
  users: Pick<Users, 'findById' | 'findByEmail' | 'create' | 'update' | 'isUsernameFree'>
  sessions: Pick<Sessions, 'endAll'>
  guard: SuperAdminGuard
  audit: Pick<Audit, 'record'>
  clock: Clock
}

/** Finds or creates the accounts of people identified by a provider: docs/decisions/single-sign-on.md. */
export function createSsoAccounts(deps: AccountsDeps) {
  const { identities, users, sessions, audit, clock } = deps
  const create = createProvidedUsers(deps)
  const followRole = createRoleChange(deps)

  /**
   * Returns a person's account. Creates one if the provider may, and gives it the role of the person's groups. Throws `sso_denied` or
   * `account_deactivated`. If a person with an account is denied, the account loses its sessions.
   */
  async function resolve(
    identity: ExternalIdentity,
    provider: SignInProviderRecord,
    origin: RequestOrigin,
  ): Promise<ResolvedAccount> {
    const linked = await findLinked(identity, provider)
    const refusal = refusalOf(identity, provider.settings, { isLinked: linked !== undefined })
    if (refusal) return deny(refusal, { identity, provider, user: linked }, origin)
    if (linked) return { kind: 'user', user: await admit(linked, identity, provider, origin) }

    const email = addressOf(identity) ?? ''
    const existing = await users.findByEmail(email)
    if (existing) return resolveExisting(existing, identity, provider, origin)
    if (!provider.settings.creates_users) return deny('no_account', { identity, provider }, origin)
    const created = await create({ email, identity, provider }, origin)
    // Just taken by another browser of the same person, or by a registration.
    if (!created) return resolve(identity, provider, origin)
    await link(created, identity, provider, origin)
    return { kind: 'user', user: created }
  }

  async function findLinked(
    { subject }: ExternalIdentity,
    { id }: SignInProviderRecord,
  ): Promise<UserRecord | undefined> {
    const link = await identities.find({ providerId: id, subject })
    const owner = link && (await users.findById(link.ownerId))
    // Linked while the account was being deleted: the leftover link would prevent the person's next account from being linked.
    if (link && !owner) await identities.removeByOwner(link.ownerId)
    return owner
  }

  /**
   * An account with a password belongs to the person who knows it. An account that was created by a provider, and that no provider signs in
   * to any more, belongs to the owner of the address: nothing else could prove ownership.
   */
  async function resolveExisting(
    user: UserRecord,
    identity: ExternalIdentity,
    provider: SignInProviderRecord,
    origin: RequestOrigin,
  ): Promise<ResolvedAccount> {
    // The person who reset the account may have its present password and address, and a link would outlast both.
    if (user.libraryClosure) return deny('other_person', { identity, provider, user }, origin)
    if (user.hasPassword !== false) return { kind: 'link', user }
    const links = await identities.listByOwner(user.id)
    // Another browser of the same person may have linked it just now.
    const isOwn = links.some((link) => link.providerId === provider.id && link.subject === identity.subject)
    for (const { providerId } of isOwn ? [] : links) {
      if (await deps.hasProvider(providerId)) return deny('other_person', { identity, provider, user }, origin)
    }
    return { kind: 'user', user: await linkProven(user, identity, provider, origin) }
  }

  /** Links a person to an account whose ownership was proven, and gives it the role of the person's groups. */
  async function linkProven(
    user: UserRecord,
    identity: ExternalIdentity,
    provider: SignInProviderRecord,
    origin: RequestOrigin,
  ): Promise<UserRecord> {
    await link(user, identity, provider, origin)
    const verified = user.isVerified ? user : await users.update(user.id, { isVerified: true })
    return admit(verified, identity, provider, origin)
  }

  async function link(
    user: UserRecord,
    { subject }: ExternalIdentity,
    { id, settings }: SignInProviderRecord,
    origin: RequestOrigin,
  ): Promise<void> {
    const isNew = await identities.link({ providerId: id, subject, ownerId: user.id }, new Date(clock.now()))
    if (!isNew) return
    const entry = { action: 'auth.sso_link', outcome: 'success' as const, actor: user, target: user.email }
    await audit.record({ ...entry, details: settings.name }, origin)
  }

  /** Throws `account_deactivated`. */
  async function admit(
    user: UserRecord,
    identity: ExternalIdentity,
    provider: SignInProviderRecord,
    origin: RequestOrigin,
  ): Promise<UserRecord> {
    if (!user.isActive) {
      await audit.record({ action: 'auth.signin', outcome: 'denied', actor: user, details: 'deactivated' }, origin)
      throw new AppError('account_deactivated', 'Your account has been deactivated. Please contact support.')
    }
    const role = roleOf(identity.groups, provider.settings)
    if (provider.settings.group_roles.length === 0 || role === null || role === user.role) return user
    return followRole({ user, role, provider }, origin)
  }

  async function deny(
    refusal: Refusal,
    {
      identity,
      provider,
      user,
    }: { identity: ExternalIdentity; provider: SignInProviderRecord; user?: UserRecord | undefined },
    origin: RequestOrigin,
  ): Promise<never> {
    const isOwn = refusal !== 'other_person'
    if (user && isOwn) await sessions.endAll(user.id)
    const actor = user && isOwn ? user : { email: addressOf(identity) ?? '' }
    const details = `${provider.settings.name}: ${refusal}`
    await audit.record({ action: 'auth.signin', outcome: 'denied', actor, details }, origin)
    throw deniedError(refusal, provider.settings.name)
  }

  return { resolve, linkProven }
}

export type SsoAccounts = ReturnType<typeof createSsoAccounts>
