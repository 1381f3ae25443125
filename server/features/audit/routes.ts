import { api } from '#contract/api.ts'
import type { AuditEventRecord, AuditQuery } from '#data/audit/audit-events.ts'
import { findCasesById } from '#data/cases/cases.ts'
import type { Database } from '#data/connect.ts'
import { findReadableNames } from '#data/recordings/readable-names.ts'
import type { AppRouter, AuthUser } from '#server/http/context.ts'
import { csvRow } from '#server/http/csv.ts'
import { streamRows } from '#server/http/csv-stream.ts'
import { presentPage } from '#server/http/page.ts'
import { route } from '#server/http/route.ts'
import { readCaseId, presentEvent } from './present.ts'
import type { Audit } from './service.ts'

const maxExportedRows = 100_000
const columns = [
  'at',
  'action',
  'outcome',
  'actor',
  'actor_id',
  'target',
  'ip_address',
  'request_id',
  'details',
  'recording_id',
  'recording_name',
  'case_name',
] as const

/** Number of events whose recordings are looked up together. */
const eventsPerLookup = 200

interface AuditDeps {
  audit: Audit
  database: Pick<Database, 'connection'>
}

export function mountAudit(router: AppRouter, { audit, database: { connection } }: AuditDeps): void {
  route(router, api.admin.audit, async ({ query, user }) => {
    const { total, events } = await audit.list(query, { page: query.page, perPage: query.per_page })
    return { events: await present(user, events), ...presentPage(query, total) }
  })

  route(router, api.admin.auditCsv, async ({ query, user, origin, takeTurn, signal, ctx }) => {
    await audit.record({ action: 'audit.export', outcome: 'success', actor: user }, origin)
    ctx.attachment('awaz-audit.csv')
    ctx.body = streamRows(csvLines(user, query), { takeTurn, signal })
  })

  /**
   * Presents events with the names of the recordings that the reader may read, and of cases, all of which administrators see. No names are
   * shown while the reader's own library is closed.
   */
  async function present(user: AuthUser, events: AuditEventRecord[]) {
    const named = user.isLibraryClosed ? [] : events
    const [recordings, cases] = await Promise.all([
      findReadableNames(
        connection,
        user.id,
        named.flatMap(({ recordingId }) => recordingId ?? []),
      ),
      findCasesById(
        connection,
        named.flatMap((event) => readCaseId(event) ?? []),
      ),
    ])
    return events.map((event) => presentEvent(event, { recordings, cases }))
  }

  async function* csvLines(user: AuthUser, query: AuditQuery): AsyncGenerator<string> {
    yield csvRow(columns)
    for await (const events of inGroups(audit.stream(query, maxExportedRows), eventsPerLookup)) {
      for (const row of await present(user, events)) yield csvRow(columns.map((column) => row[column] ?? ''))
    }
  }
}

async function* inGroups<Item>(items: AsyncIterable<Item>, size: number): AsyncGenerator<Item[]> {
  let group: Item[] = []
  for await (const item of items) {
    group.push(item)
    if (group.length < size) continue
    yield group
    group = []
  }
  yield group
}
