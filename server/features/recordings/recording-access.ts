import type { Clock } from '#data/clock.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { requireEditable, requireReadable, type AccessibleRecording } from '#data/recordings/access.ts'
import type { AuthSession, AuthUser, RequestOrigin } from '#server/http/context.ts'
import type { Audit } from '../audit/service.ts'

/** Who asks for a recording: the fields of a route's input. */
interface Caller {
  user: AuthUser
  session: Pick<AuthSession, 'id'>
  origin: RequestOrigin
}

type Action = 'open' | 'edit' | 'export'

export interface RecordingAccessDeps {
  connection: DatabaseConnection
  audit: Audit
  clock: Clock
}

export type RecordingAccessGuard = ReturnType<typeof createRecordingAccess>

/** Opening and editing are audited once within this time per session and recording. */
const repeatMs = 60 * 60_000
const maxRemembered = 20_000

/**
 * Creates the check of who may read and correct which recording. What somebody does with a recording of another owner, as a member of a
 * case, is written to the audit trail: by the recording's id, because its name is content.
 */
export function createRecordingAccess({ connection, audit, clock }: RecordingAccessDeps) {
  /** When each entry may be repeated, oldest first. */
  const recorded = new Map<string, number>()

  function isRecorded(key: string): boolean {
    const now = clock.now()
    for (const [oldest, until] of recorded) {
      if (until > now && recorded.size <= maxRemembered) break
      recorded.delete(oldest)
    }
    if (recorded.has(key)) return true
    recorded.set(key, now + repeatMs)
    return false
  }

  async function record(caller: Caller, action: Action, { id, ownerId, access }: AccessibleRecording): Promise<void> {
    if (access === 'owner') return
    if (action !== 'export' && isRecorded(`${action}:${caller.session.id}:${id}`)) return
    const entry = { action: `recording.${action}`, outcome: 'success' as const, actor: caller.user, target: id }
    await audit.record({ ...entry, details: `of user ${ownerId}, as a member with ${access}` }, caller.origin)
  }

  return {
    /** Returns a recording that the caller may read. Throws `not_found`. */
    async requireReadable(caller: Caller, id: string): Promise<AccessibleRecording> {
      const recording = await requireReadable(connection, caller.user.id, id)
      await record(caller, 'open', recording)
      return recording
    },
    /** Returns a recording that the caller may correct. Throws `not_found`, and `forbidden` for one who may only read it. */
    async requireEditable(caller: Caller, id: string): Promise<AccessibleRecording> {
      const recording = await requireEditable(connection, caller.user.id, id)
      await record(caller, 'edit', recording)
      return recording
    },
    /** Returns a recording that the caller may read, to be sent as a file. Throws `not_found`. */
    async requireExportable(caller: Caller, id: string): Promise<AccessibleRecording> {
      const recording = await requireReadable(connection, caller.user.id, id)
      await record(caller, 'export', recording)
      return recording
    },
  }
}
