import type { Logger } from 'pino'
import type { BulkUserAction } from '#contract/user-list.ts'
import type { UserRecord } from '#data/users/user-record.ts'
import { toAppError } from '#server/http/error-handler.ts'
import type { Users } from '../users/service.ts'
import { assertNotSelf } from './policy.ts'
import type { AdminActionContext, AdminService } from './service.ts'

interface BulkDeps {
  users: Pick<Users, 'get' | 'findByIds'>
  admin: Pick<AdminService, 'setRole' | 'setStatus' | 'revokeSessions' | 'remove'>
}

interface BulkContext extends AdminActionContext {
  log: Logger
}

interface BulkOutcome {
  done: number
  /** `email` is empty for a user who does not exist. */
  failed: { id: string; email: string; error: string }[]
}

/** Applies one action to many users, under the same rules and with the same audit entries as the action on a single user. */
export function createBulk({ users, admin }: BulkDeps) {
  const actions: Record<BulkUserAction, (context: AdminActionContext, user: UserRecord) => Promise<unknown>> = {
    activate: (context, { id }) => admin.setStatus(context, id, true),
    deactivate: (context, { id }) => admin.setStatus(context, id, false),
    revoke_sessions: (context, { id }) => admin.revokeSessions(context, id),
    make_user: (context, { id }) => admin.setRole(context, id, 'user'),
    make_admin: (context, { id }) => admin.setRole(context, id, 'admin'),
    async delete(context, user) {
      // Applies to super admins too: someone who selects everybody means everybody else.
      assertNotSelf(context.user, user, 'delete')
      await admin.remove(context, user.id, { canRemoveSuperAdmin: context.user.role === 'super_admin' })
    },
  }

  /** Runs the action on one user after another. A failure, whatever its cause, is listed with its reason, and the rest continue. */
  return async function runBulk(
    { log, ...context }: BulkContext,
    action: BulkUserAction,
    ids: string[],
  ): Promise<BulkOutcome> {
    const outcome: BulkOutcome = { done: 0, failed: [] }
    const found = await users.findByIds(ids)
    for (const id of new Set(ids)) {
      try {
        await actions[action](context, await users.get(id))
        outcome.done += 1
      } catch (thrown) {
        const error = toAppError(thrown)
        if (error.code === 'internal') log.error({ err: thrown, action, userId: id }, 'bulk action failed for one user')
        outcome.failed.push({ id, email: found.get(id)?.email ?? '', error: error.message })
      }
    }
    return outcome
  }
}

export type BulkUsers = ReturnType<typeof createBulk>
