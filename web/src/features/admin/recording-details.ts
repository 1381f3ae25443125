import { isolateName } from '#contract/isolated-name.ts'
import { t } from '#contract/texts/t.ts'
import { comma, formatMoment } from '../../shared/format.ts'
import { languageName } from '../../shared/recordings/languages.ts'
import { describeDetails } from './audit-labels.ts'
import { describeProviderChange, describeProviderRole, describeSettingChanges } from './sign-in-details.ts'
import { describeWebhook } from './webhook-details.ts'

/** What stands in the details of entries about recordings, beside figures, formats, languages and hashes. */
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

const ruleTexts: Record<string, (days: number) => string> = {
  case: (days) => t('older than {days, plural, one {# day} other {# days}}, the rule of a case', { days }),
  role: (days) => t('older than {days, plural, one {# day} other {# days}}, the rule of the role', { days }),
  setting: (days) => t('older than {days, plural, one {# day} other {# days}}, the rule of the server', { days }),
}

/** Of actions whose details are no sentence but codes. */
const describers: [action: RegExp, describe: (details: string) => string][] = [
  [/^admin\.sign_in_settings$/, describeSettingChanges],
  [/^admin\.provider_/, describeProviderChange],
  [/^auth\.sso_role$/, describeProviderRole],
  [/^webhook\./, describeWebhook],
]

interface DescribedEvent {
  action: string
  details: string
  /** Of the case in which something was done; null for none that the reader may know. */
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

/** For programs. */
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
