import { AppError } from '#contract/app-error.ts'
import type { OfferedProvider } from '#contract/entities/offered-provider.ts'
import type { IdentityRepository } from '#data/identities/identities.ts'
import type { ProviderSessionQuery, ProviderSessionRepository } from '#data/sessions/provider-sessions.ts'
import type { SignInProviderRecord, SignInProviderRepository } from '#data/sign-in-providers/sign-in-providers.ts'
import { createSealer } from '#server/security/sealer.ts'
import type { Sessions } from '../sessions/service.ts'

interface ProvidersDeps {
  providers: SignInProviderRepository
  identities: Pick<IdentityRepository, 'listByOwner' | 'countByProvider'>
  providerSessions: ProviderSessionRepository
  sessions: Pick<Sessions, 'end'>
  key: Buffer
}

export const providerNotFound = () => new AppError('not_found', 'This way of signing in does not exist')

/** The providers through which people may sign in. */
export function createProviders({ providers, identities, providerSessions, sessions, key }: ProvidersDeps) {
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

  /** Ends the sessions that began at a provider, and returns the owners' ids. */
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

  return {
    get,
    findEnabled,
    exists: async (id: string) => (await providers.find(id)) !== undefined,
    list: providers.list,
    listOffered,
    namesOf,
    countUsers: identities.countByProvider,
    endSessions,
    sealSecret: sealer.seal,
    /** Returns the client secret or the password of the searching account; undefined if there is none. */
    openSecret: ({ id, sealedSecret }: Pick<SignInProviderRecord, 'id' | 'sealedSecret'>) =>
      sealedSecret === null ? undefined : sealer.open(sealedSecret, id),
  }
}

export type Providers = ReturnType<typeof createProviders>
