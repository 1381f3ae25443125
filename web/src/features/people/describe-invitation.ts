import type { Invitation, InvitationState } from '#contract/entities/invitation.ts'
import { t } from '#contract/texts/t.ts'
import { formatAgo, formatDate } from '../../shared/format.ts'

const minuteMs = 60_000
const weekMs = 7 * 24 * 60 * minuteMs

export const stateNames: Record<InvitationState, string> = {
  pending: t('Pending'),
  accepted: t('Accepted'),
  expired: t('Expired'),
  revoked: t('Revoked'),
}

/** For how many days a link can be valid. */
export const dayChoices = [1, 3, 7, 14, 30].map((days) => ({
  value: String(days),
  label: t('{days, plural, one {# day} other {# days}}', { days }),
}))

/** Returns `expires in 6 days`, `expired yesterday`, `accepted 2 hours ago`; empty if the state says everything. */
export function describeState(invitation: Invitation, now = Date.now()): string {
  const { state, expires_at: expiresAt, accepted_at: acceptedAt } = invitation
  if (state === 'pending') {
    return t(
      '{distance, select, far {expires on {moment}} soon {expires within a minute} other {expires {moment}}}',
      describeMoment(expiresAt, now),
    )
  }
  if (state === 'expired') {
    return t('{distance, select, far {expired on {moment}} other {expired {moment}}}', describeMoment(expiresAt, now))
  }
  if (state === 'accepted' && acceptedAt) {
    return t(
      '{distance, select, far {accepted on {moment}} other {accepted {moment}}}',
      describeMoment(acceptedAt, now),
    )
  }
  return ''
}

/** Returns `in 6 days`, `2 hours ago`; `21 Nov 2026` beyond a week. */
function describeMoment(iso: string, now: number): { distance: 'far' | 'near' | 'soon'; moment: string } {
  const distanceMs = Date.parse(iso) - now
  if (Math.abs(distanceMs) > weekMs) return { distance: 'far', moment: formatDate(iso) }
  const isSoon = distanceMs > 0 && distanceMs < minuteMs
  return { distance: isSoon ? 'soon' : 'near', moment: formatAgo(iso, now) }
}

/** Returns first and last name; empty if neither is known. */
export function nameOf(person: { first_name: string; last_name: string }): string {
  return `${person.first_name} ${person.last_name}`.trim()
}
