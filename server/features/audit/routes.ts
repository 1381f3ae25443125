import { api } from '#contract/api.ts'
import type { AuditQuery } from '#data/audit/audit-events.ts'
import type { AppRouter } from '#server/http/context.ts'
import { csvRow } from '#server/http/csv.ts'
import { streamRows } from '#server/http/csv-stream.ts'
import { presentPage } from '#server/http/page.ts'
import { route } from '#server/http/route.ts'
import { presentEvent } from './present.ts'
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
] as const

export function mountAudit(router: AppRouter, { audit }: { audit: Audit }): void {
  route(router, api.admin.audit, async ({ query }) => {
    const { total, events } = await audit.list(query, { page: query.page, perPage: query.per_page })
    return { events: events.map(presentEvent), ...presentPage(query, total) }
  })

  route(router, api.admin.auditCsv, async ({ query, user, origin, takeTurn, signal, ctx }) => {
    await audit.record({ action: 'audit.export', outcome: 'success', actor: user }, origin)
    ctx.attachment('awaz-audit.csv')
    ctx.body = streamRows(csvLines(audit, query), { takeTurn, signal })
  })
}

async function* csvLines(audit: Audit, query: AuditQuery): AsyncGenerator<string> {
  yield csvRow(columns)
  for await (const event of audit.stream(query, maxExportedRows)) {
    const row = presentEvent(event)
    yield csvRow(columns.map((column) => row[column] ?? ''))
  }
}
