import { isolateName } from '#contract/isolated-name.ts'
import { t } from '#contract/texts/t.ts'
import { comma, formatMoment } from '../../shared/format.ts'
import { languageName } from '../../shared/recordings/languages.ts'
import { roleNames as caseRoleNames } from '../../shared/cases/describe-case.ts'
import { roleNames } from './role-names.ts'

type Phrase = [written: RegExp, say: (...values: string[]) => string]

/** Translates a part of a phrase, or returns it unchanged. */
type Describe = (details: string) => string

const caseRoles: Record<string, string> = caseRoleNames
const roles: Record<string, string> = roleNames
const scopes: Record<string, () => string> = {
  read: () => t('access to read'),
  write: () => t('access to read and write'),
}

/** The phrases that the server writes into the details of entries; reasons and names come from people. */
function listPhrases(describe: Describe): Phrase[] {
  return [
    [
      /^email to (\S+) from (\S+Z)$/,
      (email, at) => t('{email} from {moment} on', { email: isolateName(email), moment: formatMoment(at) }),
    ],
    [/^email to (\S+@\S+)$/, (email) => t('to {email}', { email: isolateName(email) })],
    [/^email back to (\S+@\S+)$/, (email) => t('back to {email}', { email: isolateName(email) })],
    [/^begun at (\S+)$/, (address) => t('begun at {address}', { address: isolateName(address) })],
    [/^(\S+@\S+): (owner|edit|view)$/, (email, role) => `${isolateName(email)}: ${caseRoles[role] ?? role}`],
    [/^by a super admin who is not the owner$/, () => t('by a super admin who is not the owner')],
    [/^by a super admin$/, () => t('by a super admin')],
    [/^who invited may no longer give the role$/, () => t('who invited may no longer give the role')],
    [/^(\d+) recordings$/, (count) => t('{total, plural, one {# recording} other {# recordings}}', of('total', count))],
    [/^(\d+) people$/, (count) => t('{count, plural, one {# person} other {# people}}', of('count', count))],
    [/^(\d+) days$/, (days) => t('{days, plural, one {# day} other {# days}}', of('days', days))],
    [/^words: (\d+)$/, (words) => t('{words, plural, one {# word} other {# words}}', of('words', words))],
    [
      /^(\d+) as (admin|super_admin)$/,
      (count, role) => t('{count, number} as {role}', { ...of('count', count), role: roles[role] ?? role }),
    ],
    [/^scope (read|write)$/, (scope) => scopes[scope]?.() ?? scope],
    [/^expires (\S+Z)$/, (at) => t('until {moment}', { moment: formatMoment(at) })],
    [/^no days of its own$/, () => t('no days of its own')],
    [/^for ever$/, () => t('for ever')],
    [/^role (user|admin|super_admin)$/, (role) => roles[role] ?? role],
    [/^(user|admin|super_admin)$/, (role) => roles[role] ?? role],
    [/^(user|admin|super_admin): ([^,]+)$/, (role, rule) => `${roles[role] ?? role}: ${describe(rule)}`],
    // The case id is only for programs.
    [/^(.+) \(case [0-9a-f]{24}\)$/, (rest) => describe(rest)],
    [/^language ([a-z]{2})$/, (code) => languageName(code)],
    [
      /^pair ([a-z]{2})-([a-z]{2})$/,
      (from, to) => t('{before} to {after}', { before: languageName(from), after: languageName(to) }),
    ],
    [/^for everything$/, () => t('for everything')],
    [/^all$/, () => t('All')],
    [/^on$/, () => t('On')],
    [/^off$/, () => t('Off')],
    [/^email (true|false)$/, (isOn) => `${t('Email')}: ${isOn === 'true' ? t('On') : t('Off')}`],
    [
      /^security_alerts (true|false)$/,
      (isOn) => `${t('Security alerts by mail')}: ${isOn === 'true' ? t('On') : t('Off')}`,
    ],
  ]
}

function of(name: string, count: string): Record<string, number> {
  return { [name]: Number(count) }
}

const phrases = listPhrases(describePhrases)

/** Translates the phrases that the server writes into details, whole or separated by commas; leaves anything else unchanged. */
export function describePhrases(details: string): string {
  const whole = describeOne(details)
  if (whole !== undefined) return whole
  const parts = details.split(', ').map((part) => [part, describeOne(part)] as const)
  if (parts.every(([, said]) => said === undefined)) return details
  return parts.map(([part, said]) => said ?? part).join(comma)
}

function describeOne(details: string): string | undefined {
  for (const [written, say] of phrases) {
    const found = written.exec(details)
    if (found) return say(...found.slice(1))
  }
  return undefined
}
