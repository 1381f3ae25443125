import { createIdentityRepository } from '#data/identities/identities.ts'
import { createProviderSessionRepository } from '#data/sessions/provider-sessions.ts'
import { createSignInProviderRepository } from '#data/sign-in-providers/sign-in-providers.ts'
import { createSsoTicketRepository } from '#data/sso-tickets/sso-tickets.ts'
import type { Accounts } from './build-accounts.ts'
import { createProvenSignIn } from './features/auth/proven-sign-in.ts'
import { createSsoAccounts } from './features/sso/accounts.ts'
import { createSsoCookies } from './features/sso/cookies.ts'
import { createDirectory } from './features/sso/ldap/directory.ts'
import { createDirectorySignIn } from './features/sso/ldap/directory-sign-in.ts'
import { createOidcClients } from './features/sso/oidc/clients.ts'
import { createOidcSignIn } from './features/sso/oidc/sign-in.ts'
import { createOidcSignOut } from './features/sso/oidc/sign-out.ts'
import { createSsoProofs } from './features/sso/proofs.ts'
import { createProviderChanges } from './features/sso/provider-changes.ts'
import { createProviders } from './features/sso/providers.ts'
import { createSsoSignIn } from './features/sso/sign-in.ts'
import { createTestProvider } from './features/sso/test-provider.ts'
import { createSsoTickets } from './features/sso/tickets.ts'
import type { ServiceOptions } from './service-options.ts'

/** Builds single sign-on: providers, the accounts of the people they identify, and OpenID Connect. */
export function buildSso(
  accounts: Accounts,
  { config, database, clock }: Pick<ServiceOptions, 'config' | 'database' | 'clock'>,
) {
  const { users, sessions, audit, superAdminGuard, secrets } = accounts
  const { connection } = database
  const { publicUrl } = config
  const key = secrets.signInProviders
  const identities = createIdentityRepository(connection)
  const repository = createSignInProviderRepository(connection)
  const providers = createProviders({
    providers: repository,
    identities,
    providerSessions: createProviderSessionRepository(connection),
    sessions,
    key,
  })
  const tickets = createSsoTickets({ repository: createSsoTicketRepository(connection), key, clock })
  const signIn = createSsoSignIn({
    users,
    sessions,
    proofs: createSsoProofs({ ...accounts, clock }),
    accounts: createSsoAccounts({
      identities,
      hasProvider: providers.exists,
      users,
      sessions,
      guard: superAdminGuard,
      audit,
      clock,
    }),
    tickets,
    findEnabledProvider: providers.findEnabled,
    signInProven: createProvenSignIn({ users, sessions, audit, clock }),
    libraryProofs: accounts.libraryProofs,
    audit,
    config,
  })
  const clients = createOidcClients({ openSecret: providers.openSecret, clock })
  const oidcSignOut = createOidcSignOut({
    providers,
    clients,
    tickets,
    identities,
    users,
    audit,
    clock,
    key,
    publicUrl,
  })
  return {
    providers,
    providerChanges: createProviderChanges({ repository, providers, identities, audit, clock }),
    identities,
    signIn,
    directorySignIn: createDirectorySignIn({ providers, lockouts: accounts.lockouts, audit }),
    ssoCookies: createSsoCookies({ publicUrl }),
    oidcSignIn: createOidcSignIn({
      providers,
      clients,
      tickets,
      signIn,
      sealIdToken: oidcSignOut.sealIdToken,
      audit,
      publicUrl,
    }),
    oidcSignOut,
    testProvider: createTestProvider({
      clients,
      testDirectory: (provider, username) =>
        createDirectory({ ...provider.settings, bind_password: providers.openSecret(provider) }).test(username),
    }),
    publicUrl,
  }
}

export type Sso = ReturnType<typeof buildSso>
