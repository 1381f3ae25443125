import type { RecordingAccess } from '#contract/entities/recording.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import type { CollectionRead } from '#data/read-together.ts'
import {
  requireEditable,
  requireReadable,
  requireReadableWith,
  type AccessibleRecording,
} from '#data/recordings/access.ts'
import type { Caller, RecordingTrail } from './recording-trail.ts'

export interface RecordingAccessDeps {
  connection: DatabaseConnection
  trail: RecordingTrail
}

export type RecordingAccessGuard = ReturnType<typeof createRecordingAccess>

/**
 * Creates the check of who may read and correct which recording. What its owner and members of a case do with a recording is written to the
 * audit trail.
 */
export function createRecordingAccess({ connection, trail }: RecordingAccessDeps) {
  return {
    /** Returns a recording that the caller may read, when none of its sound or text is read: nothing is recorded. Throws `not_found`. */
    requireVisible: (caller: Pick<Caller, 'user'>, id: string) => requireReadable(connection, caller.user.id, id),

    /** Returns a recording that the caller may read. Throws `not_found`. */
    async requireReadable(caller: Caller, id: string): Promise<AccessibleRecording> {
      const recording = await requireReadable(connection, caller.user.id, id)
      await trail.recordUse(caller, 'open', recording, describeAccess(recording.access))
      return recording
    },

    /** Returns a recording that the caller may read, together with a stored part of it. Throws `not_found`. */
    async requireReadableWith<Part extends object>(
      caller: Caller,
      id: string,
      partOf: (recording: { ownerId: string; recordingId: string }) => CollectionRead<Part>,
    ): Promise<{ recording: AccessibleRecording; parts: Part[] }> {
      const found = await requireReadableWith(connection, { userId: caller.user.id, recordingId: id }, partOf)
      await trail.recordUse(caller, 'open', found.recording, describeAccess(found.recording.access))
      return found
    },

    /** Returns a recording that the caller may correct. Throws `not_found`, and `forbidden` for a caller who may only read it. */
    async requireEditable(caller: Caller, id: string): Promise<AccessibleRecording> {
      const recording = await requireEditable(connection, caller.user.id, id)
      await trail.recordUse(caller, 'edit', recording, describeAccess(recording.access))
      return recording
    },

    /** Returns a recording that the caller may hear, and records that they heard some of it. Throws `not_found`. */
    async requireHearable(caller: Caller, id: string): Promise<AccessibleRecording> {
      const recording = await requireReadable(connection, caller.user.id, id)
      await trail.recordUse(caller, 'listen', recording, describeAccess(recording.access))
      return recording
    },

    /** Returns a recording that the caller may read, to be sent as a file. `what` gives the format and language. Throws `not_found`. */
    async requireExportable(caller: Caller, id: string, what: string): Promise<AccessibleRecording> {
      const recording = await requireReadable(connection, caller.user.id, id)
      await trail.record(
        caller,
        'export',
        [recording],
        [what, describeAccess(recording.access)].filter(Boolean).join(', '),
      )
      return recording
    },
  }
}

function describeAccess(access: RecordingAccess): string {
  return access === 'owner' ? '' : `member with ${access}`
}
