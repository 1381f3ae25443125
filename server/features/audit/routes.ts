import { Readable } from 'node:stream'
import { api } from '#contract/api.ts'
import type { AppRouter } from '#server/http/context.ts'
import { route } from '#server/http/route.ts'
import type { Services } from '#server/services.ts'
import { pageOf } from '../admin/page.ts'
import { csvRow } from './csv.ts'
import { presentEvent } from './present.ts'
import type { Audit, AuditQuery } from './service.ts'

const mostRows = 100_000
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

export function mountAudit(router: AppRouter, { audit }: Services): void {
  route(router, api.admin.audit, async ({ query }) => {
    const { total, rows } = await audit.list(query, query)
    return { events: rows.map(presentEvent), ...pageOf(query, total) }
  })

  route(router, api.admin.auditCsv, async ({ query, user, origin, ctx }) => {
    await audit.record({ action: 'audit.export', outcome: 'success', actor: user }, origin)
    ctx.set('Content-Disposition', 'attachment; filename="awaz-audit.csv"')
    ctx.type = 'text/csv; charset=utf-8'
    ctx.body = Readable.from(csvLines(audit, query))
  })
}

async function* csvLines(audit: Audit, query: AuditQuery): AsyncGenerator<string> {
  yield csvRow(columns)
  for await (const event of audit.stream(query, mostRows)) {
    const row = presentEvent(event)
    yield csvRow(columns.map((column) => row[column] ?? ''))
  }
}
