import type { RenderedMail } from './templates/layout.ts'

/** How long a notice stays in the outbox. */
export const noticeLifetimeMs = 7 * 24 * 60 * 60_000

export interface Mail extends RenderedMail {
  to: string
  /** The user, or the invitation, that it is about. */
  userId: string
  purpose: 'verification' | 'invitation' | 'password_reset' | 'notice' | 'test'
  expiresAt: Date
}
