import { api } from '#contract/api.ts'
import { LdapProviderInput } from '#contract/entities/sign-in-provider.ts'
import type { TestServer } from './server.ts'
import { baseDn, serviceAccount } from './slapd.ts'

type Overrides = Partial<LdapProviderInput>

/** Returns functions for what a super admin does with directories and what people do on the sign-in page. */
export async function createDirectoryProviders(server: TestServer) {
  const { accessToken: token } = await server.createSignedIn({ role: 'super_admin' })
  const ids = new Set<string>()
  let count = 0

  /** Adds a directory that searches with the service account of testing/slapd.ts. */
  async function add(url: string, overrides: Overrides = {}) {
    count += 1
    const body = LdapProviderInput.parse({
      kind: 'ldap',
      name: `Directory ${count}`,
      url,
      bind_dn: serviceAccount.dn,
      bind_password: serviceAccount.password,
      base_dn: baseDn,
      ...overrides,
    })
    const { provider } = (await server.call(api.signInAdmin.createProvider, { token, body })).data
    const params = { id: provider.id }
    ids.add(provider.id)
    return {
      id: provider.id,
      name: provider.name,
      signIn: (username: string, password = 'Harvest-moon7') =>
        server.call(api.sso.directorySignIn, { params, body: { username, password } }),
      change: (changes: Overrides) =>
        server.call(api.signInAdmin.updateProvider, { token, params, body: { ...body, ...changes } }),
    }
  }

  /** Needed because a server allows at most twenty at once. */
  async function removeAll(): Promise<void> {
    for (const id of ids) await server.call(api.signInAdmin.deleteProvider, { token, params: { id } })
    ids.clear()
  }

  /** Returns the audit trail of sign-ins of a name, newest first. */
  async function auditOf(search: string) {
    const { events } = (await server.call(api.admin.audit, { token, query: { search } })).data
    return events.filter(({ action }) => action === 'auth.signin')
  }

  return { token, add, removeAll, auditOf }
}

export type DirectoryProviders = Awaited<ReturnType<typeof createDirectoryProviders>>
