import type { SignInSettings } from '#contract/sign-in-settings.ts'
import type { SessionRecord } from '#data/sessions/sessions.ts'

const hourMs = 60 * 60_000
const dayMs = 24 * hourMs

/** How long a session lasts when unused, and at most. */
export function lifetimesOf(settings: SignInSettings, isRemembered: boolean): { idleMs: number; absoluteMs: number } {
  if (isRemembered) {
    return { idleMs: settings.remembered_idle_days * dayMs, absoluteMs: settings.remembered_days * dayMs }
  }
  return { idleMs: settings.session_idle_hours * hourMs, absoluteMs: settings.session_hours * hourMs }
}

type Ends = Pick<SessionRecord, 'isRemembered' | 'createdAt' | 'lastUsedAt' | 'idleExpiresAt' | 'expiresAt'>

/**
 * Returns a session with the end times that the current settings allow: shorter lifetimes apply to running sessions too, longer ones only
 * to new sessions.
 */
export function limitSession<Session extends Ends>(session: Session, settings: SignInSettings): Session {
  const { idleMs, absoluteMs } = lifetimesOf(settings, session.isRemembered)
  return {
    ...session,
    idleExpiresAt: earlier(session.idleExpiresAt, session.lastUsedAt.getTime() + idleMs),
    expiresAt: earlier(session.expiresAt, session.createdAt.getTime() + absoluteMs),
  }
}

function earlier(date: Date, ms: number): Date {
  return date.getTime() <= ms ? date : new Date(ms)
}
