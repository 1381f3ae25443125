import { api } from '#contract/api.ts'
import type { Clock } from '#data/clock.ts'
import type { Config } from '#data/config.ts'
import type { AppRouter, AuthUser, RequestOrigin } from '#server/http/context.ts'
import { presentPage } from '#server/http/page.ts'
import { route } from '#server/http/route.ts'
import type { RateLimiter } from '#server/security/rate-limiter.ts'
import type { Invitation } from '#contract/entities/invitation.ts'
import { stateOf, type InvitationRecord } from '#data/invitations/invitation-record.ts'
import type { SessionCookies } from '../sessions/cookies.ts'
import { presentUser } from '../users/present.ts'
import type { InviterContext } from './policy.ts'
import type { Invitations } from './service.ts'

const hourMs = 60 * 60_000
/** An invitation page is read more often than the invitation is accepted. Tokens cannot be guessed; this only limits the work. */
const checksPerSignUp = 4

interface InvitationRoutesDeps {
  invitations: Invitations
  cookies: Pick<SessionCookies, 'setProof'>
  limiter: Pick<RateLimiter, 'count'>
  config: Pick<Config, 'rates'>
  clock: Clock
}

export function mountInvitations(router: AppRouter, deps: InvitationRoutesDeps): void {
  const { invitations, cookies, limiter, config, clock } = deps
  const present = (invitation: Parameters<typeof presentInvitation>[0]) => presentInvitation(invitation, clock.now())

  route(router, api.invitations.list, async ({ query }) => {
    const { total, rows } = await invitations.list(query)
    return { invitations: rows.map(present), ...presentPage(query, total) }
  })

  route(router, api.invitations.create, async ({ body, ...context }) => {
    const invitee = { email: body.email, firstName: body.first_name, lastName: body.last_name, role: body.role }
    const invitation = await invitations.create(toContext(context), invitee, body.days)
    invitations.mailQueue.start(invitation)
    return { invitation: present(invitation) }
  })

  route(router, api.invitations.resend, async ({ params, ...context }) => ({
    invitation: present(await invitations.resend(toContext(context), params.id)),
  }))

  route(router, api.invitations.revoke, async ({ params, ...context }) => {
    await invitations.revoke(toContext(context), params.id)
    return { message: 'Invitation revoked' }
  })

  route(router, api.invitations.previewImport, async ({ body, user }) => {
    const { rows, invitees } = await invitations.preview(user, body.csv)
    return { rows, good: invitees.length, bad: rows.length - invitees.length }
  })

  route(router, api.invitations.import, async ({ body, ...context }) => ({
    invited: await invitations.importAll(toContext(context), body.csv, body.days),
  }))

  route(router, api.invitations.check, async ({ body, origin }) => {
    await countCheck(origin)
    const invitation = await invitations.check(body.token)
    return {
      email: invitation.email,
      first_name: invitation.firstName,
      last_name: invitation.lastName,
      role: invitation.role,
      invited_by: invitation.inviterName,
      expires_at: invitation.expiresAt.toISOString(),
    }
  })

  route(router, api.invitations.accept, async ({ body, origin, ctx }) => {
    await countCheck(origin)
    const user = await invitations.accept(body, origin, () => countSignUp(origin))
    cookies.setProof(ctx, user.id)
    return { requires_2fa_setup: true, user_id: user.id, user: presentUser(user) }
  })

  async function countCheck({ ip }: RequestOrigin): Promise<void> {
    const limit = config.rates.signUpPerHour * checksPerSignUp
    await limiter.count({ name: 'invitation-ip', key: ip, limit, windowMs: hourMs })
  }

  async function countSignUp({ ip }: RequestOrigin): Promise<void> {
    const message = 'Too many registration attempts. Please try again later.'
    await limiter.count({ name: 'signup-ip', key: ip, limit: config.rates.signUpPerHour, windowMs: hourMs, message })
  }
}

function toContext({ user, origin }: { user: AuthUser; origin: RequestOrigin }): InviterContext {
  return { inviter: user, origin }
}

/** Presents an invitation to administrators: without its link. */
function presentInvitation(invitation: InvitationRecord, now: number): Invitation {
  return {
    id: invitation.id,
    email: invitation.email,
    first_name: invitation.firstName,
    last_name: invitation.lastName,
    role: invitation.role,
    state: stateOf(invitation, now),
    invited_by: invitation.inviterName,
    created_at: invitation.createdAt.toISOString(),
    sent_at: invitation.sentAt.toISOString(),
    expires_at: invitation.expiresAt.toISOString(),
    accepted_at: invitation.acceptedAt?.toISOString() ?? null,
  }
}
