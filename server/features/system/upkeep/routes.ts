import { api } from '#contract/api.ts'
import { disconnectSignal } from '#server/http/disconnect-signal.ts'
import type { AppRouter, AuthUser, RequestOrigin } from '#server/http/context.ts'
import { route } from '#server/http/route.ts'
import type { Audit } from '../../audit/service.ts'
import type { Upkeep } from './upkeep.ts'

interface Acting {
  user: AuthUser
  origin: RequestOrigin
}

/** Mounts the checks, backups and support archive of the System page. The commands add their own entries to the audit trail. */
export function mountUpkeep(router: AppRouter, { upkeep, audit }: { upkeep: Upkeep; audit: Audit }): void {
  async function record({ user, origin }: Acting, action: string, target = ''): Promise<void> {
    await audit.record({ action, target, outcome: 'success', actor: user }, origin)
  }

  route(router, api.upkeep.checks, ({ user }) => upkeep.checks.read(user))

  route(router, api.upkeep.startChecks, async (acting) => {
    const run = await upkeep.checks.start()
    await record(acting, 'system.check')
    return { run }
  })

  route(router, api.upkeep.backups, () => upkeep.backups.read())

  route(router, api.upkeep.startRehearsal, async ({ params, ...acting }) => {
    const run = await upkeep.backups.rehearse(params.name)
    await record(acting, 'system.rehearse', params.name)
    return { run }
  })

  route(router, api.upkeep.cancelRun, async ({ params, ...acting }) => {
    const run = await upkeep.runs.cancel(params.id)
    await record(acting, 'system.cancel', run.kind)
    return { run }
  })

  route(router, api.upkeep.makeSupportArchive, async ({ ctx, ...acting }) => {
    const archive = await upkeep.makeSupportArchive(disconnectSignal(ctx))
    await record(acting, 'system.support_archive', archive.file_name)
    return archive
  })
}
