import { createAuditEventRepository } from '#data/audit/audit-events.ts'
import { systemClock } from '#data/clock.ts'
import { connectDatabase } from '#data/connect.ts'
import { createAudit, systemOrigin } from '#server/features/audit/service.ts'

interface BackupEvent {
  action: 'backup.create' | 'backup.rehearse'
  outcome: 'success' | 'failure'
  details: string
}

/** Adds an entry by the command line to the audit trail of a database. `wait` is how long to wait for one that cannot be reached. */
export async function recordAudit(
  { uri, dbName }: { uri: string; dbName: string },
  event: BackupEvent,
  wait: { signal?: AbortSignal; firstConnectionTimeoutMs?: number } = {},
): Promise<void> {
  const database = await connectDatabase({ mongodbUri: uri }, { dbName, ...wait })
  try {
    const audit = createAudit({ events: createAuditEventRepository(database.connection), clock: systemClock })
    await audit.record({ ...event, actor: { email: 'command line' } }, systemOrigin)
  } finally {
    await database.close()
  }
}
