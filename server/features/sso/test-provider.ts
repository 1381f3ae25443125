import type { api } from '#contract/api.ts'
import { AppError } from '#contract/app-error.ts'
import type { Response } from '#contract/endpoint.ts'
import type { LdapSettings, SignInProviderRecord } from '#data/sign-in-providers/sign-in-providers.ts'
import { isOidc, type OidcClients, type OidcProvider } from './oidc/clients.ts'

/** `details` are sentences for the super admin, one per step. */
export type TestResult = Response<typeof api.signInAdmin.testProvider>

interface TestProviderDeps {
  clients: Pick<OidcClients, 'discover'>
  /** Searches a directory; if a user name is given, for that person. */
  testDirectory: (provider: SignInProviderRecord<LdapSettings>, username: string) => Promise<TestResult>
}

/** Tries a stored provider the way a sign-in would use it. A provider that does not work never causes it to throw. */
export function createTestProvider({ clients, testDirectory }: TestProviderDeps) {
  return async function testProvider(provider: SignInProviderRecord, username: string): Promise<TestResult> {
    if (isDirectory(provider)) return testDirectory(provider, username)
    return isOidc(provider) ? testOidc(clients, provider) : { is_working: false, details: [] }
  }
}

export type TestProvider = ReturnType<typeof createTestProvider>

async function testOidc({ discover }: Pick<OidcClients, 'discover'>, provider: OidcProvider): Promise<TestResult> {
  try {
    const { metadata } = await discover(provider)
    const hasSignOut = metadata.end_session_endpoint !== undefined
    return {
      is_working: true,
      details: [
        `The discovery document of ${metadata.issuer} was read.`,
        `People sign in at ${metadata.authorization_endpoint ?? ''}.`,
        metadata.supportsPKCE() ? 'It supports PKCE.' : 'It does not say that it supports PKCE.',
        hasSignOut ? 'Signing out here signs out there too.' : 'It offers no single sign-out.',
        'Whether the client ID and the secret are right shows at the first sign-in.',
      ],
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { is_working: false, details: [error.help ?? error.message] }
  }
}

function isDirectory(provider: SignInProviderRecord): provider is SignInProviderRecord<LdapSettings> {
  return provider.settings.kind === 'ldap'
}
