import type { RegistrationMode } from '#contract/registration-mode.ts'
import { isolateName } from '#contract/isolated-name.ts'
import type { SignInSettings, TwoFactorPolicy } from '#contract/sign-in-settings.ts'
import { t } from '#contract/texts/t.ts'
import { comma, formatNumber, semicolon } from '../../shared/format.ts'
import { roleNames } from './role-names.ts'

const settingNames: Record<string, string> = {
  registration: t('Who may create an account'),
  registration_domains: t('Domains'),
  two_factor_policy: t('Who needs two-factor authentication'),
  two_factor_grace_days: t('Days to set up two-factor'),
  session_idle_hours: t('Hours until an unused session ends'),
  session_hours: t('Hours until every session ends'),
  remembered_idle_days: t('Days until an unused session ends, with "Remember me"'),
  remembered_days: t('Days until every session ends, with "Remember me"'),
} satisfies Record<keyof SignInSettings, string>

const settingValues: Record<string, string> = {
  open: t('Open|registration'),
  domains: t('By domain'),
  invitation: t('By invitation'),
  closed: t('Closed'),
  nobody: t('Nobody'),
  administrators: t('Administrators'),
  everybody: t('Everybody'),
  none: t('None'),
} satisfies Record<RegistrationMode | TwoFactorPolicy | 'none', string>

/** Describes `session_hours: 24 to 12; registration: open to closed`. */
export function describeSettingChanges(details: string): string {
  return details
    .split('; ')
    .map((change) => {
      const [, name = '', before = '', after = ''] = /^([a-z_]+): (.+) to (.+)$/.exec(change) ?? []
      const label = settingNames[name]
      if (label === undefined) return change
      return `${label}: ${t('{before} to {after}', { before: sayValue(before), after: sayValue(after) })}`
    })
    .join(semicolon)
}

/** Domains stay as they are. */
function sayValue(value: string): string {
  if (/^\d+$/.test(value)) return formatNumber(Number(value))
  return settingValues[value] ?? value.split(' ').map(isolateName).join(comma)
}

const kindNames: Record<string, string> = { oidc: 'OpenID Connect', ldap: t('Directory') }
const stateNames: Record<string, string> = { on: t('On'), off: t('Off') }

/** Fields of providers, by the words of the form that they are changed in. */
const fieldNames: Record<string, string> = {
  name: t('Name'),
  is_enabled: t('offered at sign-in'),
  allowed_domains: t('Allowed domains'),
  group_roles: t('Groups and roles'),
  default_role: t('Everybody else'),
  creates_users: t('New people get an account when they first sign in'),
  replaces_two_factor: t('Second factor'),
  issuer: t('Issuer'),
  client_id: t('Client ID'),
  scopes: t('Scopes'),
  groups_claim: t('Claim with the groups'),
  trusts_email: t('Addresses are right although the provider does not say so'),
  second_factor_values: t('Signs of a second factor'),
  url: t('Address'),
  uses_starttls: 'StartTLS',
  ca: t('Certificate of its authority'),
  bind_dn: t('Account that searches'),
  base_dn: t('Base DN'),
  user_filter: t('Filter'),
  id_attribute: t('Attribute: lasting id'),
  email_attribute: t('Attribute: e-mail'),
  first_name_attribute: t('Attribute: first name'),
  last_name_attribute: t('Attribute: last name'),
  groups_attribute: t("Attribute with a person's groups"),
  group_base_dn: t('Base DN of groups'),
  group_filter: t('Filter of groups'),
  timeout_seconds: t('Time limit'),
  secret: t('secret or password'),
}

/** Describes `oidc, on; changed: name, issuer`. */
export function describeProviderChange(details: string): string {
  const [, kind = '', state = '', changed] = /^([a-z]+), (on|off)(?:; changed: (.+))?$/.exec(details) ?? []
  const kindName = kindNames[kind]
  if (kindName === undefined) return details
  const now = [kindName, stateNames[state] ?? state].join(comma)
  if (changed === undefined) return now
  const names = changed.split(', ').map((name) => fieldNames[name] ?? name)
  return [now, t('changed: {names}', { names: names.join(comma) })].join(semicolon)
}

const roles: Record<string, string> = roleNames

/** Describes `user to admin by Contoso`, which the groups of a provider did or, for the last super admin, did not do. */
export function describeProviderRole(details: string): string {
  const [, before = '', after = '', provider = '', last] =
    /^([a-z_]+) to ([a-z_]+) by (.+?)(: the last super admin)?$/.exec(details) ?? []
  if (provider === '') return details
  const values = { before: roles[before] ?? before, after: roles[after] ?? after, provider: isolateName(provider) }
  const change = t('{before} to {after} by {provider}', values)
  return last === undefined ? change : [change, t('the last super admin keeps the role')].join(semicolon)
}
