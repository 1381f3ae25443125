import { systemClock } from '#data/clock.ts'
import { createSignInProviderRepository } from '#data/sign-in-providers/sign-in-providers.ts'
import { createSystemFactRepository } from '#data/system/system-facts.ts'
import { createDirectory } from '#server/features/sso/ldap/directory.ts'
import { createOidcClients } from '#server/features/sso/oidc/clients.ts'
import { createTestProvider } from '#server/features/sso/test-provider.ts'
import { createSealer } from '#server/security/sealer.ts'
import { openSecrets } from '#server/security/secrets.ts'
import type { Check, DatabaseContext } from '../context.ts'
import { findingsOf, type Finding } from '../finding.ts'

const findings = {
  'sign_in.provider': {
    severity: 'problem',
    title: 'A directory or OpenID provider does not work',
    why: 'Nobody can sign in through it.',
    remedy: 'Mend what the sentence says, then press Test on the page Sign-in.',
  },
} as const

const finding = findingsOf(findings)

/** Tests each enabled provider as the Sign-in page does, without signing anyone in. */
export const providersCheck: Check<DatabaseContext> = { name: 'sign-in providers', findings, run }

async function run({ config, connection, signal }: DatabaseContext): Promise<Finding[]> {
  const providers = await createSignInProviderRepository(connection).list()
  const enabled = providers.filter(({ settings }) => settings.is_enabled)
  if (enabled.length === 0) return []
  const openSecret = await openerOfSecrets(config.dataDir, connection)
  const testProvider = createTestProvider({
    clients: createOidcClients({ openSecret, clock: systemClock }),
    testDirectory: (provider, username) =>
      createDirectory({ ...provider.settings, bind_password: openSecret(provider) }).test(username),
  })
  const found: Finding[] = []
  for (const provider of enabled) {
    signal.throwIfAborted()
    const { is_working: isWorking, details } = await testProvider(provider, '')
    if (!isWorking)
      found.push(finding('sign_in.provider', `The test of ${provider.settings.name} failed: ${details.join(' ')}`))
  }
  return found
}

/** A secret that cannot be decrypted counts as missing here: the check of secrets reports it. */
async function openerOfSecrets(dataDir: string, connection: DatabaseContext['connection']) {
  const secrets = await openSecrets({ dataDir, facts: createSystemFactRepository(connection) }).catch(() => undefined)
  const sealer = secrets && createSealer(secrets.signInProviders)
  return ({ id, sealedSecret }: { id: string; sealedSecret: string | null }) => {
    try {
      return sealedSecret === null ? undefined : sealer?.open(sealedSecret, id)
    } catch {
      return undefined
    }
  }
}
