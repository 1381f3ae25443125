import type { Logger } from 'pino'
import type { RecordingAction } from '#contract/recording-activity.ts'
import {
  insertRecordingEvents,
  type AuditedRecording,
  type EventActor,
  type NewRecordingEvent,
} from '#data/audit/recording-events.ts'
import type { Clock } from '#data/clock.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { listUploadTimes } from '#data/recordings/recordings.ts'
import type { AuthSession, AuthUser, RequestOrigin } from '#server/http/context.ts'
import type { Audit } from '../audit/service.ts'

/** The caller: fields of a route's input. */
export interface Caller {
  user: AuthUser
  session: Pick<AuthSession, 'id'>
  origin: RequestOrigin
}

interface TrailDeps {
  connection: DatabaseConnection
  audit: Pick<Audit, 'record'>
  clock: Clock
  log: Logger
}

export type RecordingTrail = ReturnType<typeof createRecordingTrail>

/** Within this time, repeated entries are recorded once per session. */
const repeatMs = 60 * 60_000
const maxRemembered = 20_000

/** Creates the writer of entries about recordings: entries of the audit trail without content (docs/decisions/recording-trail.md). */
export function createRecordingTrail({ connection, audit, clock, log }: TrailDeps) {
  /** When each entry may next be repeated, oldest first. */
  const recorded = new Map<string, number>()

  /** Runs `write` unless it already ran for the key within the hour. */
  async function recordHourly(key: string, write: () => Promise<void>): Promise<void> {
    const now = clock.now()
    for (const [oldest, until] of recorded) {
      if (until > now && recorded.size <= maxRemembered) break
      recorded.delete(oldest)
    }
    if (recorded.has(key)) return
    recorded.set(key, now + repeatMs)
    try {
      await write()
    } catch (error) {
      recorded.delete(key)
      throw error
    }
  }

  /**
   * Runs `write`. If it fails, as on a full disk, people can still read their own recordings, and the failure is logged; reading someone
   * else's is refused without an entry.
   */
  async function recordReading(isOwn: boolean, write: () => Promise<void>): Promise<void> {
    try {
      await write()
    } catch (err) {
      if (!isOwn) throw err
      log.warn({ err }, 'a person reads their own recordings, and the audit trail has no entry of it')
    }
  }

  /** Creates an entry of the trail for an action. */
  function makeEvent(by: EventActor, action: RecordingAction, details = ''): NewRecordingEvent {
    return { action: `recording.${action}`, by, details, at: new Date(clock.now()) }
  }

  /** Records an action on recordings, with one entry for each. */
  async function record(by: EventActor, action: RecordingAction, recordings: AuditedRecording[], details?: string) {
    await insertRecordingEvents(connection, recordings, makeEvent(by, action, details))
  }

  /** Records an action on recordings of one owner, by their ids; those that do not exist are skipped. */
  async function recordIds(by: EventActor, action: RecordingAction, { ownerId, ids }: OwnedIds, details?: string) {
    await record(by, action, await listUploadTimes(connection, ownerId, ids), details)
  }

  return {
    makeEvent,
    record,
    recordIds,

    /** Records that somebody opens, hears or corrects a recording: once an hour for each session and recording. */
    recordUse: (caller: Caller, action: 'open' | 'listen' | 'edit', recording: AuditedRecording, details?: string) =>
      recordReading(action !== 'edit' && caller.user.id === recording.ownerId, () =>
        recordHourly(keyOf(caller, action, recording.id), () => record(caller, action, [recording], details)),
      ),

    /** Records that somebody reads the result of a job; counts as opening its recording. */
    recordOpened: (caller: Caller, { ownerId, recordingId }: { ownerId: string; recordingId: string }) =>
      recordReading(caller.user.id === ownerId, () =>
        recordHourly(keyOf(caller, 'open', recordingId), () =>
          recordIds(caller, 'open', { ownerId, ids: [recordingId] }, caller.user.id === ownerId ? '' : 'member'),
        ),
      ),

    /** Records that somebody searches their library, but never what for: once an hour for each session. */
    recordSearch: ({ user, session, origin }: Caller) =>
      recordReading(true, () =>
        recordHourly(`search:${session.id}`, () =>
          audit.record({ action: 'library.search', outcome: 'success', actor: user }, origin),
        ),
      ),
  }
}

interface OwnedIds {
  ownerId: string
  ids: string[]
}

function keyOf({ session }: Caller, action: RecordingAction, recordingId: string): string {
  return `${action}:${session.id}:${recordingId}`
}
