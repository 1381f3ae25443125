import type { Logger } from 'pino'
import { createSessionLists } from '#data/sessions/session-lists.ts'
import { createPendingEmailRepository } from '#data/users/pending-emails.ts'
import type { Work } from './build-work.ts'
import { createAddressChanges, type AddressChanges } from './features/admin/address-changes.ts'
import { createAllSessions } from './features/admin/all-sessions.ts'
import { createBulk } from './features/admin/bulk.ts'
import { createAdminEdit } from './features/admin/edit.ts'
import { createOverview } from './features/admin/overview.ts'
import { createAdmin } from './features/admin/service.ts'
import { createUserRemoval } from './features/users/removal.ts'
import type { Accounts } from './build-accounts.ts'
import type { Sso } from './build-sso.ts'
import type { ServiceOptions } from './service-options.ts'

/** Builds what admins do to the accounts of others. Deleting a user runs the removers in this order. */
export function buildAdministration(
  accounts: Accounts & { sso: Sso },
  work: Work,
  { clock, config }: Pick<ServiceOptions, 'clock' | 'config'>,
) {
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
  const addressChanges = createAddressChanges({
    ...accounts,
    pendingEmails: createPendingEmailRepository(work.connection),
    clock,
    delayMs: config.emailChangeDelayMs,
    publicUrl: config.publicUrl,
  })
  return {
    admin,
    addressChanges,
    adminEdit: createAdminEdit({ ...accounts, addressChanges }),
    bulkUsers: createBulk({ users, admin }),
    allSessions,
    readOverview: createOverview({ ...accounts, allSessions, clock }),
  }
}

/** Puts new addresses into effect when they are due. Returns a function that stops it. */
export function startAddressChanges({ addressChanges }: { addressChanges: AddressChanges }, log: Logger): () => void {
  const warn = (err: unknown) => log.warn({ err }, 'due changes of addresses could not be made')
  const timer = setInterval(() => void addressChanges.applyDue().catch(warn), 15_000).unref()
  return () => clearInterval(timer)
}
