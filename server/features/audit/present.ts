import type { z } from 'zod'
import type { AuditEvent } from '#contract/endpoints/admin.ts'
import type { LoginAttempt } from '#contract/entities/user.ts'
import type { AuditDoc } from '#data/accounts/record-models.ts'

export function presentEvent(event: AuditDoc): z.infer<typeof AuditEvent> {
  return {
    id: event._id.toHexString(),
    at: event.at.toISOString(),
    action: event.action,
    outcome: event.outcome,
    actor: event.actor,
    actor_id: event.actorId?.toHexString() ?? null,
    target: event.target,
    ip_address: event.ip,
    request_id: event.requestId,
    details: event.details,
  }
}

/** An attempt to sign in, from its audit entry. */
export function presentAttempt(event: AuditDoc): z.infer<typeof LoginAttempt> {
  const isSuccess = event.outcome === 'success'
  return {
    id: event._id.toHexString(),
    success: isSuccess,
    failure_reason: isSuccess ? null : event.details,
    ip_address: event.ip,
    attempted_at: event.at.toISOString(),
  }
}
