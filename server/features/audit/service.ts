import type { AuditEventRecord, AuditEventRepository } from '#data/audit/audit-events.ts'
import type { Clock } from '#data/clock.ts'
import type { RequestOrigin } from '#server/http/context.ts'

export interface AuditEntry {
  /** Dotted, lowercase: `auth.signin`, `admin.role`. */
  action: string
  outcome: AuditEventRecord['outcome']
  /** Who acted; for a failed sign-in, the e-mail address that was entered. */
  actor?: { id: string; email: string } | { email: string }
  /** Who or what the action changed. */
  target?: string
  /** Facts without content, tokens or codes. */
  details?: string
}

interface AuditDeps {
  events: AuditEventRepository
  clock: Clock
}

/** The origin of actions that the server or the command line performs by itself. */
export const systemOrigin: RequestOrigin = { ip: '', userAgent: '', requestId: '' }

/** Creates the audit trail: entries are added and read, never changed (ASVS 5, 16.2). */
export function createAudit({ events, clock }: AuditDeps) {
  async function record(entry: AuditEntry, origin: RequestOrigin): Promise<void> {
    await events.insert({
      at: new Date(clock.now()),
      action: entry.action,
      outcome: entry.outcome,
      actor: entry.actor?.email ?? '',
      actorId: entry.actor && 'id' in entry.actor ? entry.actor.id : null,
      target: entry.target ?? null,
      ip: origin.ip,
      requestId: origin.requestId,
      details: entry.details ?? '',
    })
  }

  /** Returns a user's most recent sign-in attempts. */
  async function listSignIns(userId: string, limit: number): Promise<AuditEventRecord[]> {
    return events.listByActor(userId, 'auth.signin', limit)
  }

  /** Returns how many sign-ins have been denied or have failed since then. */
  async function countFailedSignIns(since: Date): Promise<number> {
    return events.countFailures('auth.signin', since)
  }

  return {
    record,
    list: events.list,
    stream: events.stream,
    listOfRecording: events.listOfRecording,
    listSignIns,
    countFailedSignIns,
  }
}

export type Audit = ReturnType<typeof createAudit>
