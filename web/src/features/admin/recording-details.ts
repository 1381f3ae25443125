import { isolateName } from '#contract/isolated-name.ts'
import { t } from '#contract/texts/t.ts'
import type { RegistrationMode } from '#contract/registration-mode.ts'
import type { SignInSettings, TwoFactorPolicy } from '#contract/sign-in-settings.ts'
import { comma, formatMoment, formatNumber, semicolon } from '../../shared/format.ts'
import { languageName } from '../../shared/recordings/languages.ts'
import { eventNames } from '../../shared/webhook-event-names.ts'
import { describeDetails } from './audit-labels.ts'
import { roleNames } from './role-names.ts'

/** The words used in the details of entries about recordings, besides figures, formats, languages and hashes. */
const words: Record<string, string> = {
  account: t('with the account of its owner'),
  batch: t('in a batch'),
  clip: t('a clip'),
  interrupted: t('finished after an interruption'),
  'kept states': t('what a legal hold kept'),
  member: t('as a member of a case'),
  'member with edit': t('as a member of a case with the right to edit'),
  'member with view': t('as a member of a case'),
  quota: t('to make room for an upload'),
  speakers: t('with speakers'),
  trash: t('its time in the trash was over'),
  'watch folder': t('by the watch folder'),
}

const events: Record<string, string> = eventNames

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

const ruleTexts: Record<string, (days: number) => string> = {
  case: (days) => t('older than {days, plural, one {# day} other {# days}}, the rule of a case', { days }),
  role: (days) => t('older than {days, plural, one {# day} other {# days}}, the rule of the role', { days }),
  setting: (days) => t('older than {days, plural, one {# day} other {# days}}, the rule of the server', { days }),
}

/** For actions whose details are codes, not sentences. */
const describers: [action: RegExp, describe: (details: string) => string][] = [
  [/^admin\.sign_in_settings$/, describeSettingChanges],
  [/^admin\.provider_/, describeProviderChange],
  [/^auth\.sso_role$/, describeProviderRole],
  [/^webhook\./, describeWebhook],
]

interface DescribedEvent {
  action: string
  details: string
  /** The name of the case in which the action was done; null if there is none that the reader may know of. */
  case_name?: string | null
}

/** Describes the details of an entry of the audit trail in the reader's language. */
export function describeEvent({ action, details, case_name: caseName }: DescribedEvent): string {
  const [, describe] = describers.find(([written]) => written.test(action)) ?? []
  if (describe) return describe(details)
  if (!action.startsWith('recording.') && !action.startsWith('case.recording_')) return describeDetails(details)
  return details
    .split(', ')
    .flatMap((part) => (caseId.test(part) ? describeCase(caseName) : [part === '' ? '' : describePart(action, part)]))
    .join(comma)
}

/** A case id, which only programs need. */
const caseId = /^case [0-9a-f]{24}$/

function describeCase(name: string | null | undefined): string[] {
  return name ? [t('case {name}', { name: isolateName(name) })] : []
}

function describePart(action: string, part: string): string {
  const word = words[part]
  if (word !== undefined) return word
  const [, count = '', change] = /^(\d+) tags? (added|removed)$/.exec(part) ?? []
  if (change === 'added') return t('{count, plural, one {# tag added} other {# tags added}}', { count: Number(count) })
  if (change === 'removed')
    return t('{count, plural, one {# tag removed} other {# tags removed}}', { count: Number(count) })
  const [, days = '', rule = ''] = /^retention of (\d+) days by ([a-z]+)$/.exec(part) ?? []
  const describeRule = ruleTexts[rule]
  if (describeRule) return describeRule(Number(days))
  const [, model] = /^model (.+)$/.exec(part) ?? []
  if (model !== undefined) return t('model {name}', { name: isolateName(model) })
  const [, from, to = ''] = /^([a-z]+) to ([a-z]{2})$/.exec(part) ?? []
  if (from !== undefined)
    return from === 'auto'
      ? languageName(to)
      : t('{before} to {after}', { before: languageName(from), after: languageName(to) })
  const [, madeAt] = /^backup of (\S+Z)$/.exec(part) ?? []
  if (madeAt !== undefined) return t('backup of {moment}', { moment: formatMoment(madeAt) })
  if (part === 'auto') return t('any language')
  return action !== 'recording.upload' && /^[a-z]{2}$/.test(part) ? languageName(part) : part
}

/** Describes `example.org, job.finished job.failed, on`: a webhook's receiver, its events, and whether it is on. */
function describeWebhook(details: string): string {
  const [, host = '', sent = '', state] = /^(\S+), ([a-z. ]*), (on|off)$/.exec(details) ?? []
  if (host === '') return details
  const names = sent.split(' ').map((event) => events[event] ?? event)
  return [isolateName(host), ...names, state === 'on' ? t('On') : t('Off')].join(comma)
}

/** Describes `session_hours: 24 to 12; registration: open to closed`. */
function describeSettingChanges(details: string): string {
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

/** Describes the value of a setting. Domains stay unchanged. */
function sayValue(value: string): string {
  if (/^\d+$/.test(value)) return formatNumber(Number(value))
  return settingValues[value] ?? value.split(' ').map(isolateName).join(comma)
}

const kindNames: Record<string, string> = { oidc: 'OpenID Connect', ldap: t('Directory') }
const stateNames: Record<string, string> = { on: t('On'), off: t('Off') }

/** Labels for the fields of providers, as in the form that edits them. */
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
function describeProviderChange(details: string): string {
  const [, kind = '', state = '', changed] = /^([a-z]+), (on|off)(?:; changed: (.+))?$/.exec(details) ?? []
  const kindName = kindNames[kind]
  if (kindName === undefined) return details
  const now = [kindName, stateNames[state] ?? state].join(comma)
  if (changed === undefined) return now
  const names = changed.split(', ').map((name) => fieldNames[name] ?? name)
  return [now, t('changed: {names}', { names: names.join(comma) })].join(semicolon)
}

const roles: Record<string, string> = roleNames

/** Describes `user to admin by Contoso`: a role change caused by a provider's groups, or refused for the last super admin. */
function describeProviderRole(details: string): string {
  const [, before = '', after = '', provider = '', last] =
    /^([a-z_]+) to ([a-z_]+) by (.+?)(: the last super admin)?$/.exec(details) ?? []
  if (provider === '') return details
  const values = { before: roles[before] ?? before, after: roles[after] ?? after, provider: isolateName(provider) }
  const change = t('{before} to {after} by {provider}', values)
  return last === undefined ? change : [change, t('the last super admin keeps the role')].join(semicolon)
}
