import { AppError } from '#contract/app-error.ts'
import type { SessionWatch } from '../sessions/service.ts'

/** Who uploads, and in which session. */
export interface Uploader {
  ownerId: string
  sessionId: string
}

/** The session of an upload. It ends through signing out, deactivation or deletion of the account. */
export interface UploadSession {
  /** Aborts with `session_expired` when the session ends. */
  signal: AbortSignal
  /** Throws `session_expired` unless the session is live. */
  requireOwner: () => Promise<void>
  unsubscribe: () => void
}

/** Follows a session: nothing is stored for somebody who is no longer signed in. */
export function followSession(sessions: SessionWatch, { ownerId, sessionId }: Uploader): UploadSession {
  const ended = new AbortController()
  const unsubscribe = sessions.onEnded(ownerId, sessionId, () => ended.abort(sessionEnded()))
  return {
    signal: ended.signal,
    unsubscribe,
    async requireOwner() {
      if (!(await sessions.isLive(ownerId, sessionId))) throw sessionEnded()
    },
  }
}

function sessionEnded(): AppError {
  return new AppError('session_expired', 'Token has expired')
}
