import { api } from '#contract/api.ts'
import type { AppRouter } from '#server/http/context.ts'
import { route } from '#server/http/route.ts'
import type { RetentionService } from './service.ts'

/** Mounts the endpoints for how long recordings are kept, and the dry run. */
export function mountRetention(router: AppRouter, { retention }: { retention: RetentionService }): void {
  route(router, api.retention.own, ({ user }) => retention.readOwn(user))

  route(router, api.retention.get, () => retention.read())

  route(router, api.retention.dryRun, ({ query }) => retention.dryRun(query))

  route(router, api.retention.setRoleDays, ({ body, ...actor }) => retention.setRoleDays(actor, body.role_days))

  route(router, api.retention.setCaseDays, ({ params, body, ...actor }) =>
    retention.setCaseDays(actor, params.id, body.days),
  )
}
