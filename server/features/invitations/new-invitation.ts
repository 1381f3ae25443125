import type { Role } from '#contract/entities/user.ts'
import { newId } from '#data/ids.ts'
import type { NewInvitation } from '#data/invitations/invitations.ts'

const dayMs = 24 * 60 * 60_000
/** How long invitations are kept after they end. */
const keptMs = 90 * dayMs

export interface Invitee {
  email: string
  firstName: string
  lastName: string
  role: Role
}

/** Returns the times of an invitation whose link is being mailed now. */
export function timesOf(days: number, now: number): Pick<NewInvitation, 'sentAt' | 'expiresAt' | 'removeAt'> {
  const end = now + days * dayMs
  return { sentAt: new Date(now), expiresAt: new Date(end), removeAt: new Date(end + keptMs) }
}

type Fixed = Pick<NewInvitation, 'days' | 'inviterId' | 'inviterName' | 'status'>

/** Creates an invitation as it is stored, without a link. */
export function newInvitation(invitee: Invitee, now: number, fixed: Fixed): NewInvitation {
  return { id: newId(), ...invitee, ...fixed, ...timesOf(fixed.days, now), createdAt: new Date(now) }
}
