import type { Response } from '#contract/endpoint.ts'
import type { admin } from '#contract/endpoints/admin.ts'
import type { InstanceWarning } from '#contract/entities/instance-state.ts'
import { t } from '#contract/texts/t.ts'
import { translateSentence } from '#contract/texts/translate-sentence.ts'
import type { Severity } from '../../shared/ui/severity-icon.tsx'
import { usersPath } from './console-nav.tsx'

export type Overview = Response<typeof admin.overview>

interface AttentionItem {
  title: string
  /** What to do about it. */
  advice: string
  to: string
  severity: Severity
}

interface AttentionFacts {
  overview: Overview
  /** The warnings of the System page, worst first. */
  warnings: InstanceWarning[]
  isSuper: boolean
}

/** Lists what needs attention, most urgent first. */
export function listAttentionItems({ overview, warnings, isSuper }: AttentionFacts): AttentionItem[] {
  const users = usersPath(isSuper)
  // If mails are waiting and none is failing, they wait to be handed over by hand.
  const unsent = overview.failing_mails > 0 ? 0 : overview.waiting_mails
  const problems = warnings.filter(({ severity }) => severity === 'problem').length
  const [worst] = warnings
  const system = { advice: worst ? translateSentence(worst.title) : '', to: '/admin/system' }
  const items: (AttentionItem & { number: number })[] = [
    {
      ...system,
      number: problems,
      title: t('{count, plural, one {The system reports # problem} other {The system reports # problems}}', {
        count: problems,
      }),
      severity: 'problem',
    },
    {
      number: isSuper ? overview.failing_mails : 0,
      title: t('{count, plural, one {# mail could not be delivered} other {# mails could not be delivered}}', {
        count: overview.failing_mails,
      }),
      advice: t('Somebody waits for a link or a code. The reason stands beside each mail.'),
      to: '/super-admin/outbox',
      severity: 'problem',
    },
    {
      number: overview.failed_sign_ins,
      title: t(
        '{count, plural, one {# failed sign-in in the last 24 hours} other {# failed sign-ins in the last 24 hours}}',
        { count: overview.failed_sign_ins },
      ),
      advice: t('Many for one account, or from one address, may be an attack.'),
      to: failedSignInsPath(),
      severity: 'problem',
    },
    {
      ...system,
      number: problems > 0 ? 0 : warnings.length,
      title: t('{count, plural, one {The system reports # warning} other {The system reports # warnings}}', {
        count: warnings.length,
      }),
      severity: 'warning',
    },
    {
      number: isSuper ? unsent : 0,
      title: t('{unsent, plural, one {# mail waits to be sent} other {# mails wait to be sent}}', { unsent }),
      advice: t('Without a mail server links and codes are handed over by hand.'),
      to: '/super-admin/outbox',
      severity: 'note',
    },
    {
      number: overview.users_without_2fa,
      title: t(
        '{count, plural, one {# user has no two-factor authentication} other {# users have no two-factor authentication}}',
        { count: overview.users_without_2fa },
      ),
      advice: t('Anyone who learns their password can sign in. Ask them to set it up.'),
      to: `${users}?state=without_2fa`,
      severity: 'note',
    },
    {
      number: overview.unverified_users,
      title: t('{count, plural, one {# address is not verified} other {# addresses are not verified}}', {
        count: overview.unverified_users,
      }),
      advice: t('The link may not have arrived. It can be sent again from the sign-in page.'),
      to: `${users}?state=unverified`,
      severity: 'note',
    },
    {
      number: overview.dormant_users,
      title: t(
        '{count, plural, one {# user has not signed in for 90 days} other {# users have not signed in for 90 days}}',
        { count: overview.dormant_users },
      ),
      advice: t('Deactivate the accounts of those who have left.'),
      to: `${users}?inactive=90`,
      severity: 'note',
    },
  ]
  return items.filter(({ number }) => number > 0)
}

interface Figure {
  label: string
  value: number
  to: string
}

/** Lists the figures, each with a link to the list of what it counts. */
export function listFigures(overview: Overview, isSuper: boolean): Figure[] {
  const users = usersPath(isSuper)
  const figures: Figure[] = [
    { label: t('Users'), value: overview.total_users, to: users },
    { label: t('Active'), value: overview.active_users, to: `${users}?state=active` },
    { label: t('Inactive'), value: overview.inactive_users, to: `${users}?state=inactive` },
    { label: t('Not verified'), value: overview.unverified_users, to: `${users}?state=unverified` },
    {
      label: t('Without two-factor'),
      value: overview.users_without_2fa,
      to: `${users}?state=without_2fa`,
    },
    { label: t('Away for 90 days'), value: overview.dormant_users, to: `${users}?inactive=90` },
    { label: t('Pending invitations'), value: overview.pending_invitations, to: '/admin/invitations?state=pending' },
    { label: t('Open sessions'), value: overview.open_sessions, to: '/admin/sessions' },
    { label: t('Failed sign-ins (24 h)'), value: overview.failed_sign_ins, to: failedSignInsPath() },
  ]
  const mails = { label: t('Mails that wait'), value: overview.waiting_mails, to: '/super-admin/outbox' }
  return isSuper ? [...figures, mails] : figures
}

/** The path of the audit trail filtered to unsuccessful sign-ins since yesterday; its filter only takes whole days. */
function failedSignInsPath(now = Date.now()): string {
  const yesterday = new Date(now - 24 * 60 * 60_000)
  const day = [yesterday.getFullYear(), yesterday.getMonth() + 1, yesterday.getDate()]
  const from = day.map((part) => String(part).padStart(2, '0')).join('-')
  return `/admin/audit?${new URLSearchParams({ action: 'auth.signin', outcome: 'unsuccessful', from })}`
}
