import type { Response } from '#contract/endpoint.ts'
import type { admin } from '#contract/endpoints/admin.ts'
import { t } from '#contract/texts/t.ts'
import { usersPath } from './console-nav.tsx'

export type Overview = Response<typeof admin.overview>

interface Concern {
  title: string
  /** What to do about it. */
  advice: string
  to: string
  isUrgent?: boolean
}

function count(number: number, one: string, many: string): string {
  return `${number.toLocaleString('en')} ${number === 1 ? one : many}`
}

/** Lists what somebody should look at, the most urgent first. */
export function listConcerns(overview: Overview, isSuper: boolean): Concern[] {
  const users = usersPath(isSuper)
  // Mails that wait while none fails wait for somebody who hands them over.
  const unsent = overview.failing_mails > 0 ? 0 : overview.waiting_mails
  const concerns: (Concern & { number: number })[] = [
    {
      number: isSuper ? overview.failing_mails : 0,
      title: t('{failingMails} could not be delivered', {
        failingMails: count(overview.failing_mails, 'mail', 'mails'),
      }),
      advice: t('Somebody waits for a link or a code. The reason stands beside each mail.'),
      to: '/super-admin/outbox',
      isUrgent: true,
    },
    {
      number: overview.failed_sign_ins,
      title: t('{failedSignIns} in the last 24 hours', {
        failedSignIns: count(overview.failed_sign_ins, 'failed sign-in', 'failed sign-ins'),
      }),
      advice: t('Many for one account, or from one address, may be an attack.'),
      to: failedSignInsPath(),
      isUrgent: true,
    },
    {
      number: isSuper ? unsent : 0,
      title: t('{unsent} to be sent', { unsent: count(unsent, 'mail waits', 'mails wait') }),
      advice: t('Without a mail server links and codes are handed over by hand.'),
      to: '/super-admin/outbox',
    },
    {
      number: overview.users_without_2fa,
      title: t('{usersWithout2fa} no two-factor authentication', {
        usersWithout2fa: count(overview.users_without_2fa, 'user has', 'users have'),
      }),
      advice: t('Anyone who learns their password can sign in. Ask them to set it up.'),
      to: t('{users}?state=without_2fa', { users }),
    },
    {
      number: overview.unverified_users,
      title: t('{unverifiedUsers} not verified', {
        unverifiedUsers: count(overview.unverified_users, 'address is', 'addresses are'),
      }),
      advice: t('The link may not have arrived. It can be sent again from the sign-in page.'),
      to: t('{users}?state=unverified', { users }),
    },
    {
      number: overview.dormant_users,
      title: t('{dormantUsers} not signed in for 90 days', {
        dormantUsers: count(overview.dormant_users, 'user has', 'users have'),
      }),
      advice: t('Deactivate the accounts of those who have left.'),
      to: t('{users}?inactive=90', { users }),
    },
  ]
  return concerns.filter(({ number }) => number > 0)
}

interface Figure {
  label: string
  value: number
  to: string
}

/** Lists the numbers, each with the list of what it counts. */
export function listFigures(overview: Overview, isSuper: boolean): Figure[] {
  const users = usersPath(isSuper)
  const figures: Figure[] = [
    { label: t('Users'), value: overview.total_users, to: users },
    { label: t('Active'), value: overview.active_users, to: t('{users}?state=active', { users }) },
    { label: t('Inactive'), value: overview.inactive_users, to: t('{users}?state=inactive', { users }) },
    { label: t('Not verified'), value: overview.unverified_users, to: t('{users}?state=unverified', { users }) },
    {
      label: t('Without two-factor'),
      value: overview.users_without_2fa,
      to: t('{users}?state=without_2fa', { users }),
    },
    { label: t('Away for 90 days'), value: overview.dormant_users, to: t('{users}?inactive=90', { users }) },
    { label: t('Pending invitations'), value: overview.pending_invitations, to: '/admin/invitations?state=pending' },
    { label: t('Open sessions'), value: overview.open_sessions, to: '/admin/sessions' },
    { label: t('Failed sign-ins (24 h)'), value: overview.failed_sign_ins, to: failedSignInsPath() },
  ]
  const mails = { label: t('Mails that wait'), value: overview.waiting_mails, to: '/super-admin/outbox' }
  return isSuper ? [...figures, mails] : figures
}

/** The sign-ins of the trail since yesterday that did not succeed; its filter knows whole days. */
function failedSignInsPath(now = Date.now()): string {
  const yesterday = new Date(now - 24 * 60 * 60_000)
  const day = [yesterday.getFullYear(), yesterday.getMonth() + 1, yesterday.getDate()]
  const from = day.map((part) => String(part).padStart(2, '0')).join('-')
  return `/admin/audit?${new URLSearchParams({ action: 'auth.signin', outcome: 'unsuccessful', from })}`
}
