import type { z } from 'zod'
import type { AuditEvent } from '#contract/entities/admin-records.ts'
import type { LoginAttempt } from '#contract/entities/user.ts'
import type { AuditEventRecord } from '#data/audit/audit-events.ts'
import type { ReadableName } from '#data/recordings/readable-names.ts'

/** Presents an event to a reader; `readable` has the recordings that the reader may read, by their ids. */
export function presentEvent(
  event: AuditEventRecord,
  readable: ReadonlyMap<string, ReadableName>,
): z.infer<typeof AuditEvent> {
  const { recordingId = null } = event
  const recording = recordingId === null ? undefined : readable.get(recordingId)
  return {
    id: event.id,
    at: event.at.toISOString(),
    action: event.action,
    outcome: event.outcome,
    actor: event.actor,
    actor_id: event.actorId,
    target: event.target,
    ip_address: event.ip,
    request_id: event.requestId,
    details: event.details,
    recording_id: recordingId,
    recording_name: recording?.name ?? null,
    recording_owner: event.recordingOwner ?? null,
    recording_uploaded_at: event.uploadedAt?.toISOString() ?? null,
    can_open_recording: recording?.isLive ?? false,
  }
}

/** Presents the audit event of a sign-in as a login attempt. */
export function presentAttempt(event: AuditEventRecord): z.infer<typeof LoginAttempt> {
  const isSuccess = event.outcome === 'success'
  return {
    id: event.id,
    success: isSuccess,
    failure_reason: isSuccess ? null : event.details,
    ip_address: event.ip,
    attempted_at: event.at.toISOString(),
  }
}
