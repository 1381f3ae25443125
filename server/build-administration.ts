import { removeInviteesByEmail } from '#data/cases/invitees.ts'
import { assertNothingHeld } from '#data/recordings/remove.ts'
import { createSessionLists } from '#data/sessions/session-lists.ts'
import { createPendingEmailRepository } from '#data/users/pending-emails.ts'
import { removeReportTemplates } from '#data/report-templates/report-templates.ts'
import { removeWordLists } from '#data/word-lists/word-lists.ts'
import type { Work } from './build-work.ts'
import { createEmailChanges } from './features/admin/email-changes.ts'
import { createAllSessions } from './features/admin/all-sessions.ts'
import { createBulk } from './features/admin/bulk.ts'
import { createAdminEdit } from './features/admin/edit.ts'
import { createOverview } from './features/admin/overview.ts'
import { createAdmin } from './features/admin/service.ts'
import { createUserRemoval } from './features/users/removal.ts'
import type { Accounts } from './build-accounts.ts'
import type { Sso } from './build-sso.ts'
import type { ServiceOptions } from './service-options.ts'

/** Builds the management of other users' accounts by admins. Deleting a user runs the removers in this order. */
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
      // Before the rest of the account's data: it stops if something is put on legal hold at this moment.
      ({ id }) => work.removeUserWork(id),
      ({ id }) => passkeys.removeAll(id),
      ({ id }) => sso.identities.removeByOwner(id),
      ({ id }) => apiKeys.removeAll(id),
      ({ id }) => webhooks.removeAll(id),
      ({ id }) => keywords.removeAll(id),
      ({ id }) => removeReportTemplates(work.connection, id),
      ({ id }) => removeWordLists(work.connection, 'user', [id]),
      ({ id }) => registration.voidLinks(id),
      ({ id }) => passwordReset.voidReset(id),
      ({ id }) => outbox.removeFor(id),
      ({ email }) => invitations.removeFor(email),
      ({ email }) => removeInviteesByEmail(work.connection, email),
      ({ id }) => devices.forgetAll(id),
      ({ email }) => lockouts.unlock(email),
    ],
  })
  const admin = createAdmin({
    ...accounts,
    guard: accounts.superAdminGuard,
    cancelJobs: work.cancelUserJobs,
    assertNothingHeld: (userId) => assertNothingHeld(work.connection, userId),
    removeUser,
  })
  const allSessions = createAllSessions({ ...accounts, lists: createSessionLists(work.connection), clock })
  const emailChanges = createEmailChanges({
    ...accounts,
    pendingEmails: createPendingEmailRepository(work.connection),
    clock,
    delayMs: config.emailChangeDelayMs,
    publicUrl: config.publicUrl,
  })
  return {
    admin,
    emailChanges,
    adminEdit: createAdminEdit({ ...accounts, emailChanges }),
    bulkUsers: createBulk({ users, admin }),
    allSessions,
    readOverview: createOverview({ ...accounts, allSessions, clock }),
  }
}
