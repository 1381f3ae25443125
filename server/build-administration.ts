import type { Clock } from '#data/clock.ts'
import { createSessionLists } from '#data/sessions/session-lists.ts'
import type { Work } from './build-work.ts'
import { createAllSessions } from './features/admin/all-sessions.ts'
import { createBulk } from './features/admin/bulk.ts'
import { createAdminEdit } from './features/admin/edit.ts'
import { createOverview } from './features/admin/overview.ts'
import { createAdmin } from './features/admin/service.ts'
import { createUserRemoval } from './features/users/removal.ts'
import type { Accounts } from './build-accounts.ts'
import type { Sso } from './build-sso.ts'

/** Builds what admins do to the accounts of others. Deleting a user runs the removers in this order. */
export function buildAdministration(accounts: Accounts & { sso: Sso }, work: Work, clock: Clock) {
  const {
    users,
    sessions,
    passkeys,
    apiKeys,
    webhooks,
    keywords,
    registration,
    passwordReset,
    outbox,
    invitations,
    devices,
    lockouts,
    sso,
  } = accounts
  const removeUser = createUserRemoval({
    users,
    removers: [
      ({ id }) => sessions.endAll(id),
      ({ id }) => passkeys.removeAll(id),
      ({ id }) => sso.identities.removeByOwner(id),
      ({ id }) => apiKeys.removeAll(id),
      ({ id }) => webhooks.removeAll(id),
      ({ id }) => work.removeUserWork(id),
      ({ id }) => keywords.removeAll(id),
      ({ id }) => registration.voidLinks(id),
      ({ id }) => passwordReset.voidReset(id),
      ({ id }) => outbox.removeFor(id),
      ({ email }) => invitations.removeFor(email),
      ({ id }) => devices.forgetAll(id),
      ({ email }) => lockouts.unlock(email),
    ],
  })
  const admin = createAdmin({
    ...accounts,
    guard: accounts.superAdminGuard,
    cancelJobs: work.cancelUserJobs,
    removeUser,
  })
  const allSessions = createAllSessions({ ...accounts, lists: createSessionLists(work.connection), clock })
  return {
    admin,
    adminEdit: createAdminEdit({ ...accounts, clock }),
    bulkUsers: createBulk({ users, admin }),
    allSessions,
    readOverview: createOverview({ ...accounts, allSessions, clock }),
  }
}
