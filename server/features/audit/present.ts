import type { z } from 'zod'
import type { AuditEvent } from '#contract/entities/admin-records.ts'
import type { LoginAttempt } from '#contract/entities/user.ts'
import type { AuditEventRecord } from '#data/audit/audit-events.ts'
import type { ReadableName } from '#data/recordings/readable-names.ts'

/** What a reader may see by name, keyed by id: recordings that the reader has access to, and cases. */
interface ReadableNames {
  recordings: ReadonlyMap<string, ReadableName>
  cases: ReadonlyMap<string, { name: string }>
}

/** Returns the id of the case that an event is about, or in which something was done with a recording; null if there is none. */
export function readCaseId({ action, target, details }: AuditEventRecord): string | null {
  if (!action.startsWith('case.')) return null
  return /^[0-9a-f]{24}$/.exec(target ?? '')?.[0] ?? /^case ([0-9a-f]{24})\b/.exec(details)?.[1] ?? null
}

/** Presents an event to a reader. */
export function presentEvent(
  event: AuditEventRecord,
  { recordings, cases }: ReadableNames,
): z.infer<typeof AuditEvent> {
  const { recordingId = null } = event
  const recording = recordingId === null ? undefined : recordings.get(recordingId)
  const caseId = readCaseId(event)
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
    case_id: caseId,
    case_name: (caseId !== null && cases.get(caseId)?.name) || null,
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
