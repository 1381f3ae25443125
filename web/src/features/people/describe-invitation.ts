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

/** Days that a link may work. */
export const dayChoices = [1, 3, 7, 14, 30].map((days) => ({
  value: String(days),
  label: days === 1 ? t('1 day') : `${days} days`,
}))

/** `expires in 6 days`, `expired yesterday`, `accepted 2 hours ago`; empty where the state says everything. */
export function describeState(invitation: Invitation, now = Date.now()): string {
  const { state, expires_at: expiresAt, accepted_at: acceptedAt } = invitation
  if (state === 'pending') return `expires ${relativeMoment(expiresAt, now)}`
  if (state === 'expired') return `expired ${relativeMoment(expiresAt, now)}`
  if (state === 'accepted' && acceptedAt) return `accepted ${relativeMoment(acceptedAt, now)}`
  return ''
}

/** `in 6 days`, `2 hours ago`; `on 21 Nov 2026` beyond a week. */
export function relativeMoment(iso: string, now = Date.now()): string {
  const distanceMs = Date.parse(iso) - now
  if (Math.abs(distanceMs) > weekMs) return `on ${formatDate(iso)}`
  if (distanceMs > 0 && distanceMs < minuteMs) return t('within a minute')
  return formatAgo(iso, now)
}

/** First and last name; empty where neither is known. */
export function nameOf(person: { first_name: string; last_name: string }): string {
  return `${person.first_name} ${person.last_name}`.trim()
}

/** `1 person`, `197 people`. */
export function countPeople(count: number): string {
  return count === 1 ? t('1 person') : `${count.toLocaleString('en')} people`
}
