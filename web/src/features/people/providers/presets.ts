import {
  LdapProviderInput,
  OidcProviderInput,
  type LdapProviderInput as LdapInput,
  type OidcProviderInput as OidcInput,
} from '#contract/entities/sign-in-provider.ts'
import { t } from '#contract/texts/t.ts'

interface PresetWords {
  label: string
  description: string
  /** An address as this system has one. */
  example: string
}

export type OidcPreset = PresetWords & { values: OidcInput }
export type LdapPreset = PresetWords & { values: LdapInput }
export type Preset = OidcPreset | LdapPreset

/** Values that a form begins with: the contract's defaults, where fields that must be filled in are empty. */
function oidc(values: Partial<OidcInput> = {}): OidcInput {
  const defaults = OidcProviderInput.parse({ kind: 'oidc', name: 'x', issuer: 'https://x.example', client_id: 'x' })
  return { ...defaults, name: '', issuer: '', client_id: '', ...values }
}

function ldap(values: Partial<LdapInput> = {}): LdapInput {
  const defaults = LdapProviderInput.parse({ kind: 'ldap', name: 'x', url: 'ldaps://x', base_dn: 'x' })
  return { ...defaults, name: '', url: '', base_dn: '', ...values }
}

/** Systems that people have, with what is usual there. */
export const presets: Preset[] = [
  {
    label: 'Keycloak',
    description: t('A realm of Keycloak, by OpenID Connect.'),
    example: 'https://keycloak.example.org/realms/main',
    values: oidc({ name: 'Keycloak' }),
  },
  {
    label: 'Microsoft Entra ID',
    description: t('A tenant of Microsoft 365, by OpenID Connect.'),
    example: 'https://login.microsoftonline.com/TENANT-ID/v2.0',
    // Groups come as object ids, and `amr` says `mfa`.
    values: oidc({ name: 'Microsoft' }),
  },
  {
    label: t('Other OpenID Connect'),
    description: t('Authentik, Okta, Google, GitLab and others.'),
    example: 'https://login.example.org',
    values: oidc(),
  },
  {
    label: 'Active Directory',
    description: t('Windows accounts, by LDAP.'),
    example: 'ldaps://dc.example.org',
    values: ldap({
      name: 'Windows account',
      user_filter:
        '(&(objectCategory=person)(objectClass=user)(|(sAMAccountName={username})(userPrincipalName={username})))',
      // Renaming a person changes the name in the directory, never this.
      id_attribute: 'objectGUID',
      // Members of groups within groups too (LDAP_MATCHING_RULE_IN_CHAIN).
      group_filter: '(member:1.2.840.113556.1.4.1941:={dn})',
    }),
  },
  {
    label: 'OpenLDAP',
    description: t('A directory of inetOrgPerson entries.'),
    example: 'ldaps://ldap.example.org',
    values: ldap({
      name: 'Directory account',
      user_filter: '(&(objectClass=inetOrgPerson)(|(uid={username})(mail={username})))',
    }),
  },
  {
    label: t('Other directory'),
    description: t('FreeIPA, 389 Directory Server and others.'),
    example: 'ldaps://directory.example.org',
    values: ldap(),
  },
]
