import type { Logger } from 'pino'
import { createAuditEventRepository } from '#data/audit/audit-events.ts'
import type { Clock } from '#data/clock.ts'
import type { Config } from '#data/config.ts'
import type { Database } from '#data/connect.ts'
import { createKnownDeviceRepository } from '#data/devices/known-devices.ts'
import { createKeywordRepository } from '#data/keywords/keywords.ts'
import { createLockoutRepository } from '#data/lockouts/lockouts.ts'
import { ensureIndexes } from '#data/indexes.ts'
import { createOutboxRepository } from '#data/outbox/outbox-mails.ts'
import { createPasswordResetRepository } from '#data/proofs/password-resets.ts'
import { createVerificationRepository } from '#data/proofs/verifications.ts'
import { createRefreshTokenRepository } from '#data/sessions/refresh-tokens.ts'
import { createSessionRepository } from '#data/sessions/sessions.ts'
import { createRateRepository } from '#data/system/rates.ts'
import { createSystemFactRepository } from '#data/system/system-facts.ts'
import { createSuperAdminLock } from '#data/users/super-admin-lock.ts'
import { createUserFactors } from '#data/users/user-factors.ts'
import { createUserLists } from '#data/users/user-lists.ts'
import { createUserRepository } from '#data/users/users.ts'
import { buildBatches } from './build-batches.ts'
import { buildWork, type Work } from './build-work.ts'
import { createAdminEdit } from './features/admin/edit.ts'
import { createAdmin } from './features/admin/service.ts'
import { createDigestMails } from './features/alerts/digest-mails.ts'
import { createAlerts } from './features/alerts/service.ts'
import { createApiKeys } from './features/api-keys/service.ts'
import { createAudit, systemOrigin, type Audit } from './features/audit/service.ts'
import { createPasswordChange } from './features/auth/password-change.ts'
import { createPasswordReset } from './features/auth/password-reset.ts'
import { createPasswordPolicy } from './features/auth/password-policy.ts'
import { createRegistration } from './features/auth/registration.ts'
import { createSignIn } from './features/auth/sign-in.ts'
import { createCases } from './features/cases/service.ts'
import { createBatchMails } from './features/batches/batch-mails.ts'
import { createJobMails } from './features/jobs/job-mails.ts'
import { createKeywords } from './features/keywords/service.ts'
import { createMailer } from './features/mail/mailer.ts'
import { createOutbox } from './features/mail/outbox.ts'
import { createModels } from './features/models/service.ts'
import { createDocxWriter } from './features/recordings/docx/docx-writer.ts'
import { createRecordingAccess } from './features/recordings/recording-access.ts'
import { createNotes } from './features/notes/service.ts'
import { createSearch } from './features/search/service.ts'
import { createCookies } from './features/sessions/cookies.ts'
import { createKnownDevices } from './features/sessions/known-devices.ts'
import { createSessions } from './features/sessions/service.ts'
import { createTokens } from './features/sessions/tokens.ts'
import { createEngineChecks } from './features/system/engine-checks.ts'
import { ensureFirstAdmin, removeInitialPassword } from './features/system/first-admin.ts'
import { createReadiness } from './features/system/readiness.ts'
import { createServerChecks } from './features/system/server-checks.ts'
import { createTwoFactorChange } from './features/two-factor/change.ts'
import { createReauthenticate } from './features/two-factor/reauthenticate.ts'
import { createTwoFactor } from './features/two-factor/service.ts'
import { createUserRemoval } from './features/users/removal.ts'
import { createUsers } from './features/users/service.ts'
import { createSuperAdminGuard } from './features/users/super-admin-guard.ts'
import { createWebhooks } from './features/webhooks/service.ts'
import { startWatchFolder } from './features/watch-folder/watch-folder.ts'
import { createLockouts, lockoutRules } from './security/lockouts.ts'
import { createPasswordHasher } from './security/password-hasher.ts'
import { createRateLimiter } from './security/rate-limiter.ts'
import { loadSecrets } from './security/secrets.ts'

export interface ServiceOptions {
  config: Config
  database: Database
  clock: Clock
  log: Logger
  /** See `createMailer`. */
  maxMailDelayMs?: number
}

/** The dependencies of all routes, built once at start. */
export type Services = Awaited<ReturnType<typeof buildServices>>

/** Builds the services on a connected database; creates missing secrets, indexes and the first super admin. */
export async function buildServices(options: ServiceOptions) {
  const { config, database, clock, log } = options
  const accounts = await buildAccounts(options)
  const { connection } = database
  const { users } = accounts
  const sessions = accounts.apiKeys.watch(accounts.sessions)
  const work = await buildWork({ config, connection, sessions, isUserActive: users.isActive, log })
  await ensureIndexes(connection)
  await ensureFirstAdmin({ users, log, dataDir: config.dataDir, adminEmail: config.adminEmail })
  const models = createModels({
    connection,
    modelsDir: config.modelsDir,
    isSpeechRemote: config.speechServers !== undefined,
    audit: accounts.audit,
    log,
  })
  void models.removeAbandonedUploads()
  const docx = createDocxWriter()
  const outboxCleanupTimer = setInterval(
    () => void accounts.outbox.removeExpired().catch(() => undefined),
    60_000,
  ).unref()
  const { mailer } = accounts
  const mailDeps = { users, mailer, clock, publicUrl: config.publicUrl, hasMailServer: config.smtpUrl !== undefined }
  const jobMails = createJobMails({ ...mailDeps, queue: work.queue })
  const batchMails = createBatchMails({ ...mailDeps, connection })
  const alerts = createAlerts({ ...mailDeps, connection })
  const digestMails = createDigestMails({ ...mailDeps, connection, alerts })
  const jobMailTimer = setInterval(
    () =>
      void Promise.all([jobMails.sendDue(), batchMails.sendDue(), digestMails.sendDue()]).catch((err: unknown) =>
        log.warn({ err }, 'mails about jobs could not be sent'),
      ),
    15_000,
  ).unref()
  const mailRetryTimer = setInterval(() => void accounts.mailer.sendDue().catch(() => undefined), 5000).unref()

  const batches = buildBatches(work, log)
  const watchFolder =
    config.watchFolder &&
    (await startWatchFolder({
      ...work,
      ...config.watchFolder,
      users,
      startBatch: batches.batches.create,
      log,
    }))

  return {
    config,
    database,
    clock,
    log,
    ...accounts,
    ...buildAdministration(accounts, work, clock),
    work,
    ...batches,
    alerts,
    notes: createNotes({ connection }),
    search: createSearch({ connection }),
    recordingAccess: createRecordingAccess({ connection, audit: accounts.audit, clock }),
    cases: createCases({ connection, ...accounts }),
    docx,
    models,
    readiness: createReadiness({
      ...createServerChecks({
        ...accounts,
        config,
        audioStore: work.audioStore,
        facts: createSystemFactRepository(connection),
      }),
      ...createEngineChecks(connection),
    }),
    async close() {
      clearInterval(outboxCleanupTimer)
      clearInterval(mailRetryTimer)
      clearInterval(jobMailTimer)
      await watchFolder?.close()
      await batches.batchFeeder.close()
      await accounts.webhooks.close()
      await work.close()
      await accounts.mailer.close()
      await accounts.hasher.close()
      await docx.close()
      await accounts.twoFactor.close()
    },
  }
}

export type Accounts = Awaited<ReturnType<typeof buildAccounts>>

/** Builds the services of accounts; the command line uses them without the others. */
export async function buildAccounts(options: ServiceOptions) {
  const { config, database, clock, log } = options
  const { connection } = database
  const { dataDir, publicUrl, temporaryPasswordDays } = config
  const userRepository = createUserRepository(connection)
  const secrets = await loadSecrets({ dataDir, facts: createSystemFactRepository(connection), users: userRepository })
  const hasher = createPasswordHasher({ cost: config.bcryptCost, pepper: secrets.pepper })
  const lockouts = createLockouts({
    repository: createLockoutRepository(connection, lockoutRules),
    clock,
    key: secrets.codes,
  })
  const limiter = createRateLimiter({ rates: createRateRepository(connection), clock, log })
  const audit = createAudit({ events: createAuditEventRepository(connection), clock })
  const { outbox, mailer } = buildMail(options, audit)

  const lists = createUserLists(connection)
  const users = createUsers({ repository: userRepository, lists, clock, hasher, temporaryPasswordDays })
  const superAdminGuard = createSuperAdminGuard({ lock: createSuperAdminLock(connection), users })

  const tokens = createTokens({ key: secrets.accessTokens, clock })
  const sessions = createSessions({
    sessions: createSessionRepository(connection),
    refreshTokens: createRefreshTokenRepository(connection),
    users: userRepository,
    clock,
    tokens,
    onReuse: async ({ userId, sessionId }, origin) => {
      const actor = { id: userId, email: (await users.findById(userId))?.email ?? '' }
      await audit.record({ action: 'auth.token_reuse', outcome: 'denied', actor, target: sessionId }, origin)
    },
  })
  const devices = createKnownDevices({ repository: createKnownDeviceRepository(connection), clock, key: secrets.codes })

  const factors = createUserFactors(connection)
  const twoFactor = createTwoFactor({ factors, clock, secrets, cost: config.bcryptCost })

  const passwordPolicy = createPasswordPolicy(config)
  const passwordChange = createPasswordChange({
    users,
    sessions,
    devices,
    mailer,
    clock,
    removeInitialPassword: (email) => removeInitialPassword(dataDir, email),
  })
  const sharedDeps = { clock, publicUrl, users, passwordPolicy, passwordChange, mailer, outbox, audit }

  return {
    secrets,
    hasher,
    audit,
    users,
    sessions,
    tokens,
    cookies: createCookies({ tokens, publicUrl }),
    lockouts,
    twoFactor,
    twoFactorChange: createTwoFactorChange({ sessions, mailer, audit, clock }),
    devices,
    limiter,
    outbox,
    mailer,
    passwordPolicy,
    passwordChange,
    registration: createRegistration({ ...sharedDeps, verifications: createVerificationRepository(connection) }),
    passwordReset: createPasswordReset({
      ...sharedDeps,
      resets: createPasswordResetRepository(connection),
      codeKey: secrets.codes,
    }),
    superAdminGuard,
    reauthenticate: createReauthenticate({ hasher, lockouts, twoFactor, audit }),
    signIn: createSignIn({ config, clock, users, hasher, lockouts, devices, limiter, twoFactor, sessions, audit }),
    keywords: createKeywords({ keywords: createKeywordRepository(connection) }),
    apiKeys: createApiKeys({ connection, users: userRepository, clock, audit, mailer }),
    webhooks: createWebhooks({ connection, clock, config, key: secrets.webhooks, users, audit, mailer, limiter, log }),
  }
}

/** Builds what admins do to the accounts of others. Deleting a user runs the removers in this order. */
function buildAdministration(accounts: Accounts, work: Work, clock: Clock) {
  const { users, sessions, apiKeys, webhooks, keywords, registration, passwordReset, outbox, devices, lockouts } =
    accounts
  const removeUser = createUserRemoval({
    users,
    removers: [
      ({ id }) => sessions.endAll(id),
      ({ id }) => apiKeys.removeAll(id),
      ({ id }) => webhooks.removeAll(id),
      ({ id }) => work.removeUserWork(id),
      ({ id }) => keywords.removeAll(id),
      ({ id }) => registration.voidLinks(id),
      ({ id }) => passwordReset.voidReset(id),
      ({ id }) => outbox.removeFor(id),
      ({ id }) => devices.forgetAll(id),
      ({ email }) => lockouts.unlock(email),
    ],
  })
  return {
    admin: createAdmin({ ...accounts, guard: accounts.superAdminGuard, cancelJobs: work.cancelUserJobs, removeUser }),
    adminEdit: createAdminEdit({ ...accounts, clock }),
  }
}

/** The outbox and what sends from it; a mail that fails stands in the audit trail once. */
function buildMail({ config, database, clock, log, maxMailDelayMs: maxDelayMs }: ServiceOptions, audit: Audit) {
  const { dataDir, mailFrom: from, smtpUrl, smtpCa } = config
  const outbox = createOutbox({ mails: createOutboxRepository(database.connection), clock, dataDir, from })
  const mailer = createMailer({
    log,
    outbox,
    smtpUrl,
    smtpCa,
    from,
    maxDelayMs,
    onFailure: async ({ to, purpose }, reason) => {
      const entry = { action: 'mail.failed', outcome: 'failure' as const, target: to }
      await audit.record({ ...entry, details: `${purpose}: ${reason}` }, systemOrigin)
    },
  })
  return { outbox, mailer }
}
