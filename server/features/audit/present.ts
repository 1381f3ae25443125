import type { z } from 'zod'
import type { AuditEvent } from '#contract/entities/admin-records.ts'
import type { LoginAttempt } from '#contract/entities/user.ts'
import type { AuditEventRecord } from '#data/audit/audit-events.ts'

export function presentEvent(event: AuditEventRecord): z.infer<typeof AuditEvent> {
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
