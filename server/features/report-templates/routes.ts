import { api } from '#contract/api.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import {
  changeReportTemplate,
  listReportTemplates,
  removeReportTemplate,
  saveReportTemplate,
} from '#data/report-templates/report-templates.ts'
import type { AppRouter } from '#server/http/context.ts'
import { route } from '#server/http/route.ts'

/** Mounts /api/report-templates: named templates for the contents of a user's reports. */
export function mountReportTemplates(router: AppRouter, { connection }: { connection: DatabaseConnection }): void {
  route(router, api.reportTemplates.list, async ({ user }) => ({
    templates: await listReportTemplates(connection, user.id),
  }))

  route(router, api.reportTemplates.save, ({ user, body }) => saveReportTemplate(connection, user.id, body))

  route(router, api.reportTemplates.change, ({ user, params, body }) =>
    changeReportTemplate(connection, { ownerId: user.id, id: params.id }, body),
  )

  route(router, api.reportTemplates.remove, async ({ user, params }) => {
    await removeReportTemplate(connection, user.id, params.id)
    return { message: 'Report template deleted' }
  })
}
