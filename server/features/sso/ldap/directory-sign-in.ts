import { AppError } from '#contract/app-error.ts'
import type { LdapSettings, SignInProviderRecord } from '#data/sign-in-providers/sign-in-providers.ts'
import type { RequestOrigin } from '#server/http/context.ts'
import type { Lockouts, SignInAttempt } from '#server/security/lockouts.ts'
import type { Audit } from '../../audit/service.ts'
import type { ExternalIdentity } from '../external-identity.ts'
import { providerNotFound, type Providers } from '../providers.ts'
import { createDirectory, type DirectoryAnswer } from './directory.ts'
import { DirectoryUnavailable, type DirectoryAccountProblem } from './directory-error.ts'

export type DirectoryProvider = SignInProviderRecord<LdapSettings>

interface Credentials {
  username: string
  password: string
}

export interface DirectorySignInDeps {
  providers: Pick<Providers, 'findEnabled' | 'openSecret'>
  lockouts: Pick<Lockouts, 'begin'>
  audit: Pick<Audit, 'record'>
}

/** Proves people by the name and password that a directory knows. */
export function createDirectorySignIn({ providers, lockouts, audit }: DirectorySignInDeps) {
  /** Returns an enabled directory. Throws `not_found`. */
  async function findDirectory(id: string): Promise<DirectoryProvider> {
    const found = await providers.findEnabled(id)
    if (!found || !isDirectory(found)) throw providerNotFound()
    return found
  }

  /**
   * Returns the person whose name and password a directory confirmed. Throws `sign_in_failed`, the same for an unknown name and a wrong
   * password, `account_locked`, `sso_denied` for an account that the directory does not let in, or `provider_unavailable`.
   */
  async function prove(
    provider: DirectoryProvider,
    { username, password }: Credentials,
    origin: RequestOrigin,
  ): Promise<ExternalIdentity> {
    const { name } = provider.settings
    const record = (outcome: 'failure' | 'denied', reason: string) => {
      const entry = { action: 'auth.signin', outcome, actor: { email: username.toLowerCase() } }
      return audit.record({ ...entry, details: `${name}: ${reason}` }, origin)
    }
    const attempt = await beginAttempt(provider.id, username, record)
    const answer = await ask(provider, { username, password }).catch(async (error: unknown) => {
      await attempt.withdraw()
      if (!(error instanceof DirectoryUnavailable)) throw error
      await record('failure', error.message)
      throw unavailableError(name, error)
    })
    if (answer.kind === 'person') {
      await attempt.succeed()
      return answer.identity
    }
    if (answer.kind === 'wrong_credentials') {
      await record('failure', answer.reason)
      throw new AppError('sign_in_failed', 'Invalid username or password')
    }
    await record('denied', `directory_${answer.problem}`)
    throw new AppError('sso_denied', problemMessages[answer.problem](name))
  }

  /**
   * Counts an attempt on a name in one directory, separately from attempts on accounts: strangers guessing here lock out nobody who signs
   * in with a password of this server. Throws `account_locked`.
   */
  async function beginAttempt(
    providerId: string,
    username: string,
    record: (outcome: 'denied', reason: string) => Promise<void>,
  ): Promise<SignInAttempt> {
    try {
      return await lockouts.begin(`directory:${providerId}:${asCompared(username)}`)
    } catch (error) {
      if (error instanceof AppError && error.code === 'account_locked') await record('denied', 'locked')
      throw error
    }
  }

  function ask(provider: DirectoryProvider, { username, password }: Credentials): Promise<DirectoryAnswer> {
    const directory = createDirectory({ ...provider.settings, bind_password: providers.openSecret(provider) })
    return directory.signIn(username, password)
  }

  return { findDirectory, prove }
}

export type DirectorySignIn = ReturnType<typeof createDirectorySignIn>

/**
 * Returns a name without what directories may ignore in a comparison: case, width, accents, invisible characters and repeated spaces (RFC
 * 4518; Active Directory). Otherwise somebody guessing could write one name in endless ways, each with a separate count.
 */
function asCompared(username: string): string {
  const bare = username.normalize('NFKD').replace(/[\p{M}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
  return bare.replace(/\s+/g, ' ').trim().toLowerCase()
}

function isDirectory(provider: SignInProviderRecord): provider is DirectoryProvider {
  return provider.settings.kind === 'ldap'
}

function unavailableError(name: string, cause: DirectoryUnavailable): AppError {
  const message = `${name} cannot be reached at the moment. Please try again later. Accounts with a password of this server can still sign in.`
  return new AppError('provider_unavailable', message, { cause })
}

const problemMessages: Record<DirectoryAccountProblem, (name: string) => string> = {
  expired: (name) => `Your account at ${name} has expired. Please ask the people who look after it.`,
  disabled: (name) => `Your account at ${name} is disabled. Please ask the people who look after it.`,
  must_change: (name) =>
    `${name} asks for a new password. Please change it there, on a computer of your organisation, then sign in again.`,
  locked: (name) =>
    `Your account at ${name} is locked. Please wait, or ask the people who look after it, then sign in again.`,
  not_now: (name) =>
    `${name} does not let you sign in at this time or from here. Please ask the people who look after it.`,
}
