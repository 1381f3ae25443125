import { AppError } from '#contract/app-error.ts'
import type { OfferedProvider } from '#contract/entities/offered-provider.ts'
import type { SignInProviderInput } from '#contract/entities/sign-in-provider.ts'
import type { Clock } from '#data/clock.ts'
import type { IdentityRepository } from '#data/identities/identities.ts'
import { newId } from '#data/ids.ts'
import { isDuplicateKey } from '#data/model.ts'
import type { ProviderSessionQuery, ProviderSessionRepository } from '#data/sessions/provider-sessions.ts'
import {
  maxSignInProviders,
  type SignInProviderRecord,
  type SignInProviderRepository,
} from '#data/sign-in-providers/sign-in-providers.ts'
import type { AuthUser, RequestOrigin } from '#server/http/context.ts'
import { invalidInput } from '#server/http/parse.ts'
import { createSealer } from '#server/security/sealer.ts'
import type { Audit } from '../audit/service.ts'
import type { Sessions } from '../sessions/service.ts'
import { assertSafe, assertSecretStays, keepsSubjects, secretOf, withoutSecret } from './provider-rules.ts'

interface ProvidersDeps {
  providers: SignInProviderRepository
  identities: Pick<IdentityRepository, 'listByOwner' | 'countByProvider' | 'removeByProvider'>
  providerSessions: ProviderSessionRepository
  sessions: Pick<Sessions, 'end'>
  key: Buffer
  audit: Pick<Audit, 'record'>
  clock: Clock
}

/** Who changes a provider, from where. */
interface Actor {
  user: AuthUser
  origin: RequestOrigin
}

export const providerNotFound = () => new AppError('not_found', 'This way of signing in does not exist')

/** The providers that people may sign in through, and what super admins do with them. */
export function createProviders({
  providers,
  identities,
  providerSessions,
  sessions,
  key,
  audit,
  clock,
}: ProvidersDeps) {
  const sealer = createSealer(key)

  /** Returns a provider. Throws `not_found`. */
  async function get(id: string): Promise<SignInProviderRecord> {
    const found = await providers.find(id)
    if (!found) throw providerNotFound()
    return found
  }

  async function findEnabled(id: string): Promise<SignInProviderRecord | undefined> {
    const found = await providers.find(id)
    return found?.settings.is_enabled ? found : undefined
  }

  /** Returns what the sign-in page offers. */
  async function listOffered(): Promise<OfferedProvider[]> {
    const all = await providers.list()
    return all
      .filter(({ settings }) => settings.is_enabled)
      .map(({ id, settings }) => ({ id, kind: settings.kind, name: settings.name }))
  }

  /** Returns the names of the providers that an account is linked to. */
  async function namesOf(userId: string): Promise<string[]> {
    const [links, all] = await Promise.all([identities.listByOwner(userId), providers.list()])
    return all
      .filter(({ id }) => links.some(({ providerId }) => providerId === id))
      .map(({ settings }) => settings.name)
  }

  /** Throws `invalid_input`, or `conflict` where the name is taken or there are enough providers. */
  async function create(actor: Actor, input: SignInProviderInput): Promise<SignInProviderRecord> {
    assertSafe(input)
    if ((await providers.list()).length >= maxSignInProviders) {
      throw new AppError('conflict', `There are ${maxSignInProviders} providers. Please remove one that is not used.`)
    }
    const id = newId()
    const now = new Date(clock.now())
    const secret = secretOf(input)
    const created: SignInProviderRecord = {
      id,
      settings: withoutSecret(input),
      sealedSecret: secret ? sealer.seal(secret, id) : null,
      createdAt: now,
      updatedAt: now,
    }
    await withFreeName(() => providers.insert(created))
    await recordAction(actor, 'create', created)
    return created
  }

  /**
   * Replaces the settings; a secret that is left out stays, an empty one is removed. Another issuer is another provider: the links
   * of accounts to it go, and the sessions that began there end. Throws `not_found`, `invalid_input` or `conflict`.
   */
  async function update(actor: Actor, id: string, input: SignInProviderInput): Promise<SignInProviderRecord> {
    const before = await get(id)
    if (before.settings.kind !== input.kind) {
      throw invalidInput(['The kind of a provider cannot change. Please add another provider.'], 'kind')
    }
    assertSafe(input)
    assertSecretStays(before, input)
    const secret = secretOf(input)
    const newSecret = secret ? sealer.seal(secret, id) : null
    const settings = withoutSecret(input)
    const sealedSecret = secret === undefined ? before.sealedSecret : newSecret
    const changed = await withFreeName(() =>
      providers.update({ id, settings, sealedSecret, updatedAt: new Date(clock.now()) }),
    )
    if (!changed) throw providerNotFound()
    if (!keepsSubjects(before.settings, settings)) await removeLinks(id)
    await recordAction(actor, 'update', changed)
    return changed
  }

  /** Removes a provider, the links to it, and the sessions that began there. Throws `not_found`. */
  async function remove(actor: Actor, id: string): Promise<void> {
    const found = await get(id)
    await providers.remove(id)
    await removeLinks(id)
    await recordAction(actor, 'delete', found)
  }

  async function removeLinks(id: string): Promise<void> {
    await identities.removeByProvider(id)
    await endSessions({ providerId: id })
  }

  /** Ends the sessions that began at a provider, and returns whose they were. */
  async function endSessions(query: ProviderSessionQuery): Promise<string[]> {
    const owners = new Set<string>()
    for (let found = await providerSessions.list(query); found.length > 0; found = await providerSessions.list(query)) {
      for (const { id, ownerId } of found) {
        await sessions.end(ownerId, id)
        owners.add(ownerId)
      }
    }
    return [...owners]
  }

  async function withFreeName<Result>(write: () => Promise<Result>): Promise<Result> {
    try {
      return await write()
    } catch (error) {
      if (!isDuplicateKey(error)) throw error
      const message = 'Another provider has this name. People could not tell them apart.'
      throw new AppError('conflict', message, { details: [message], fields: { name: [message] } })
    }
  }

  async function recordAction({ user, origin }: Actor, action: string, provider: SignInProviderRecord): Promise<void> {
    const { kind, name, is_enabled: isEnabled } = provider.settings
    const details = `${kind}, ${isEnabled ? 'on' : 'off'}`
    const entry = {
      action: `admin.provider_${action}`,
      outcome: 'success' as const,
      actor: user,
      target: name,
      details,
    }
    await audit.record(entry, origin)
  }

  return {
    get,
    findEnabled,
    exists: async (id: string) => (await providers.find(id)) !== undefined,
    list: providers.list,
    listOffered,
    namesOf,
    countUsers: identities.countByProvider,
    create,
    update,
    remove,
    recordTest: (actor: Actor, provider: SignInProviderRecord) => recordAction(actor, 'test', provider),
    endSessions,
    /** Returns the client secret or the password of the searching account; undefined where there is none. */
    openSecret: ({ id, sealedSecret }: Pick<SignInProviderRecord, 'id' | 'sealedSecret'>) =>
      sealedSecret === null ? undefined : sealer.open(sealedSecret, id),
  }
}

export type Providers = ReturnType<typeof createProviders>
