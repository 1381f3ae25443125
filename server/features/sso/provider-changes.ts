import { AppError } from '#contract/app-error.ts'
import type { SignInProviderInput } from '#contract/entities/sign-in-provider.ts'
import type { Clock } from '#data/clock.ts'
import type { IdentityRepository } from '#data/identities/identities.ts'
import { newId } from '#data/ids.ts'
import { isDuplicateKey } from '#data/model.ts'
import type {
  ProviderSettings,
  SignInProviderRecord,
  SignInProviderRepository,
} from '#data/sign-in-providers/sign-in-providers.ts'
import type { AuthUser, RequestOrigin } from '#server/http/context.ts'
import { invalidInput } from '#server/http/parse.ts'
import type { Audit } from '../audit/service.ts'
import { assertSafe, assertSecretStays, keepsSubjects, keepsTrust, secretOf, withoutSecret } from './provider-rules.ts'
import { providerNotFound, type Providers } from './providers.ts'

interface ProviderChangesDeps {
  repository: SignInProviderRepository
  providers: Pick<Providers, 'get' | 'endSessions' | 'sealSecret'>
  identities: Pick<IdentityRepository, 'removeByProvider'>
  audit: Pick<Audit, 'record'>
  clock: Clock
}

/** Who changes a provider, and from where. */
interface Actor {
  user: AuthUser
  origin: RequestOrigin
}

/**
 * What super admins can do with providers. Each action is audited, without addresses or secrets; a change with the names of the settings
 * changed.
 */
export function createProviderChanges({ repository, providers, identities, audit, clock }: ProviderChangesDeps) {
  /** Throws `invalid_input`, or `conflict` if the name is taken or the maximum number of providers is reached. */
  async function create(actor: Actor, input: SignInProviderInput): Promise<SignInProviderRecord> {
    assertSafe(input)
    const id = newId()
    const now = new Date(clock.now())
    const secret = secretOf(input)
    const created: SignInProviderRecord = {
      id,
      settings: withoutSecret(input),
      sealedSecret: secret ? providers.sealSecret(secret, id) : null,
      createdAt: now,
      updatedAt: now,
    }
    await withFreeName(() => repository.insert(created))
    await recordAction(actor, 'create', created)
    return created
  }

  /**
   * Replaces the settings; a secret that is omitted is kept, an empty one is removed. A different issuer counts as a different provider:
   * the account links to it are removed, and sessions that began there end. They also end if the provider no longer replaces our second
   * factor. Throws `not_found`, `invalid_input` or `conflict`.
   */
  async function update(actor: Actor, id: string, input: SignInProviderInput): Promise<SignInProviderRecord> {
    const before = await providers.get(id)
    if (before.settings.kind !== input.kind) {
      throw invalidInput(['The kind of a provider cannot change. Please add another provider.'], 'kind')
    }
    assertSafe(input)
    assertSecretStays(before, input)
    const secret = secretOf(input)
    const newSecret = secret ? providers.sealSecret(secret, id) : null
    const settings = withoutSecret(input)
    const sealedSecret = secret === undefined ? before.sealedSecret : newSecret
    const changed = await withFreeName(() =>
      repository.update({ id, settings, sealedSecret, updatedAt: new Date(clock.now()) }),
    )
    if (!changed) throw providerNotFound()
    if (!keepsSubjects(before.settings, settings)) await removeLinks(id)
    else if (!keepsTrust(before.settings, settings)) await providers.endSessions({ providerId: id })
    const names = [...changedNames(before.settings, settings), ...(secret === undefined ? [] : ['secret'])]
    await recordAction(actor, 'update', changed, names)
    return changed
  }

  /** Removes a provider, its links to accounts, and the sessions that began there. Throws `not_found`. */
  async function remove(actor: Actor, id: string): Promise<void> {
    const found = await providers.get(id)
    await repository.remove(id)
    await removeLinks(id)
    await recordAction(actor, 'delete', found)
  }

  async function removeLinks(id: string): Promise<void> {
    await identities.removeByProvider(id)
    await providers.endSessions({ providerId: id })
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

  async function recordAction(
    { user, origin }: Actor,
    action: string,
    provider: SignInProviderRecord,
    changed: string[] = [],
  ): Promise<void> {
    const { kind, name, is_enabled: isEnabled } = provider.settings
    const state = `${kind}, ${isEnabled ? 'on' : 'off'}`
    const details = changed.length > 0 ? `${state}; changed: ${changed.join(', ')}` : state
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
    create,
    update,
    remove,
    recordTest: (actor: Actor, provider: SignInProviderRecord) => recordAction(actor, 'test', provider),
  }
}

export type ProviderChanges = ReturnType<typeof createProviderChanges>

function changedNames(before: ProviderSettings, after: ProviderSettings): string[] {
  const old = new Map<string, unknown>(Object.entries(before))
  return Object.entries(after).flatMap(([name, value]) =>
    JSON.stringify(value) === JSON.stringify(old.get(name)) ? [] : name,
  )
}
