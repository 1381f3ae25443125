import type { Audit } from '../audit/service.ts'
import type { InviterContext } from './policy.ts'

interface InvitationAction {
  action: 'create' | 'resend' | 'revoke' | 'import'
  /** The invited address. */
  target?: string
  details?: string
}

/** Records an action on invitations. */
export async function recordAction(
  audit: Pick<Audit, 'record'>,
  { inviter, origin }: InviterContext,
  { action, ...entry }: InvitationAction,
): Promise<void> {
  const actor = inviter.id === null ? { email: inviter.email } : { id: inviter.id, email: inviter.email }
  await audit.record({ ...entry, action: `invitation.${action}`, outcome: 'success', actor }, origin)
}
