import type { Clock } from '#data/clock.ts'
import type { RenderedMail } from './templates/layout.ts'

/** How long a notice stays in the outbox. */
const noticeLifetimeMs = 7 * 24 * 60 * 60_000

export interface Mail extends RenderedMail {
  to: string
  /** The user, or the invitation, that it is about. */
  userId: string
  purpose: 'verification' | 'invitation' | 'password_reset' | 'notice' | 'test'
  expiresAt: Date
}

/** Returns a mail that tells a user what has happened, and asks for nothing. */
export function createNotice(mail: RenderedMail, { id, email }: { id: string; email: string }, clock: Clock): Mail {
  return { ...mail, to: email, userId: id, purpose: 'notice', expiresAt: new Date(clock.now() + noticeLifetimeMs) }
}
