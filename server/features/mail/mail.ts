import type { Clock } from '#data/clock.ts'
import type { MailTemplate, RenderedMail } from './templates/layout.ts'

/** How long a notice stays in the outbox. */
const noticeLifetimeMs = 7 * 24 * 60 * 60_000

interface Delivery {
  to: string
  /** The user, or the invitation, that the mail is about. */
  userId: string
  purpose: 'verification' | 'invitation' | 'password_reset' | 'notice' | 'test'
  expiresAt: Date
}

/** A mail that the mailer renders in its recipient's language. */
export type Mail = MailTemplate & Delivery

/** A mail as stored and sent. */
export type WrittenMail = RenderedMail & Delivery

/** Creates a mail that informs a user of an event and asks for nothing. */
export function createNotice(mail: MailTemplate, { id, email }: { id: string; email: string }, clock: Clock): Mail {
  return { ...mail, to: email, userId: id, purpose: 'notice', expiresAt: new Date(clock.now() + noticeLifetimeMs) }
}
