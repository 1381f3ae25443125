import type { Logger } from 'pino'
import { createAuditEventRepository } from '#data/audit/audit-events.ts'
import type { Clock } from '#data/clock.ts'
import type { Config } from '#data/config.ts'
import type { Database } from '#data/connect.ts'
import { createKeywordRepository } from '#data/keywords/keywords.ts'
import { ensureIndexes } from '#data/model.ts'
import { createOutboxRepository } from '#data/outbox/outbox-mails.ts'
import { createAdminEdit } from './features/admin/edit.ts'
import { createAdmin } from './features/admin/service.ts'
import { createAudit, ownOrigin, type Audit } from './features/audit/service.ts'
import { createKnownDevices } from './features/auth/known-devices.ts'
import { createLockouts } from './features/auth/lockouts.ts'
import { createPasswordChange } from './features/auth/password-change.ts'
import { createPasswordHasher } from './features/auth/password-hasher.ts'
import { createPasswordReset } from './features/auth/password-reset.ts'
import { createPasswordRules } from './features/auth/password-rules.ts'
import { createReauthenticate } from './features/auth/reauthenticate.ts'
import { createRegistration } from './features/auth/registration.ts'
import { createSignIn } from './features/auth/sign-in.ts'
import { createKeywords } from './features/keywords/service.ts'
import { createMailer } from './features/mail/mailer.ts'
import { createOutbox } from './features/mail/outbox.ts'
import { createCookies } from './features/sessions/cookies.ts'
import { createSessions } from './features/sessions/service.ts'
import { createTokens } from './features/sessions/tokens.ts'
import { ensureFirstAdmin } from './features/system/first-admin.ts'
import { createRateLimiter } from './features/system/rate-limiter.ts'
import { createReadiness } from './features/system/readiness.ts'
import { loadSecrets } from './features/system/secrets.ts'
import { createTwoFactorChange } from './features/two-factor/change.ts'
import { createTwoFactor } from './features/two-factor/service.ts'
import { createUserRemoval, type UserRemover } from './features/users/removal.ts'
import { createUsers } from './features/users/service.ts'
import { createSuperAdminGuard } from './features/users/super-admin-guard.ts'
import { buildWork } from './features/work/build.ts'

export interface ServiceOptions {
  config: Config
  database: Database
  clock: Clock
  log: Logger
  /** See `createMailer`. */
  maxMailDelayMs?: number
}

/** Everything routes work with, built once at start and handed down. */
export type Services = Awaited<ReturnType<typeof buildServices>>

/** Builds the services on a connected database: secrets, indexes and the first super admin are there afterwards. */
export async function buildServices(options: ServiceOptions) {
  const { config, database, clock, log } = options
  const accounts = await buildAccounts(options)
  const { connection } = database
  const work = await buildWork({ config, connection, clock, sessions: accounts.sessions, log })
  await ensureIndexes(connection)
  await ensureFirstAdmin({ users: accounts.users, log, dataDir: config.dataDir, adminEmail: config.adminEmail })
  const expiry = setInterval(() => void accounts.outbox.removeExpired().catch(() => undefined), 60_000).unref()
  const mailTries = setInterval(() => void accounts.mailer.sendDue().catch(() => undefined), 5000).unref()

  return {
    config,
    database,
    clock,
    log,
    ...accounts,
    work,
    readiness: createReadiness(),
    async close() {
      clearInterval(expiry)
      clearInterval(mailTries)
      await work.close()
      await accounts.mailer.close()
      await accounts.hasher.close()
      await accounts.twoFactor.close()
    },
  }
}

export type Accounts = Awaited<ReturnType<typeof buildAccounts>>

/** The services of accounts alone; the command line uses them without the rest. */
export async function buildAccounts(options: ServiceOptions) {
  const { config, database, clock, log } = options
  const { connection } = database
  const { dataDir, publicUrl } = config
  const secrets = await loadSecrets(dataDir, connection)
  const hasher = createPasswordHasher({ cost: config.bcryptCost, pepper: secrets.pepper })
  const audit = createAudit({ events: createAuditEventRepository(connection), clock })
  const { temporaryPasswordDays } = config
  const users = createUsers({ connection, clock, hasher, temporaryPasswordDays })
  const tokens = createTokens({ key: secrets.accessTokens, clock })
  const sessions = createSessions({
    connection,
    clock,
    tokens,
    onReuse: async ({ userId, sessionId }, origin) => {
      const actor = { id: userId, email: (await users.findById(userId))?.email ?? '' }
      await audit.record({ action: 'auth.token_reuse', outcome: 'denied', actor, target: sessionId }, origin)
    },
  })
  const lockouts = createLockouts({ connection, clock, key: secrets.codes })
  const devices = createKnownDevices({ connection, clock, key: secrets.codes })
  const limiter = createRateLimiter({ connection, clock, log })
  const twoFactor = createTwoFactor({ connection, clock, secrets, cost: config.bcryptCost })
  const { outbox, mailer } = buildMail(options, audit)
  const passwordChange = createPasswordChange({ users, sessions, devices, mailer, clock, dataDir })
  const passwordRules = createPasswordRules(config)
  /** What most of the services below work with. */
  const common = { connection, clock, publicUrl, users, sessions, passwordRules, passwordChange, mailer, outbox, audit }
  const registration = createRegistration(common)
  const passwordReset = createPasswordReset({ ...common, codeKey: secrets.codes })
  /** Features that own things of users add themselves here when they are mounted; stoppers run when a user is deactivated. */
  const userRemovers: UserRemover[] = [createKeywordRepository(connection).removeAll]
  const userStoppers: UserRemover[] = []
  const stopWork = async (userId: string) => {
    for (const stop of userStoppers) await stop(userId)
  }
  const removalDeps = { ...common, devices, lockouts, registration, passwordReset, removers: userRemovers }
  const removeUser = createUserRemoval(removalDeps)
  const guard = createSuperAdminGuard({ connection, users })
  const twoFactorChange = createTwoFactorChange({ sessions, mailer, audit, clock })

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
    twoFactorChange,
    devices,
    limiter,
    outbox,
    mailer,
    passwordRules,
    passwordChange,
    registration,
    passwordReset,
    superAdminGuard: guard,
    userRemovers,
    userStoppers,
    reauthenticate: createReauthenticate({ hasher, lockouts, twoFactor, audit }),
    signIn: createSignIn({ config, clock, users, hasher, lockouts, devices, limiter, twoFactor, sessions, audit }),
    admin: createAdmin({ ...common, lockouts, guard, stopWork, removeUser }),
    adminEdit: createAdminEdit({ ...common, twoFactor, twoFactorChange, registration, passwordReset }),
    keywords: createKeywords({ keywords: createKeywordRepository(connection) }),
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
      await audit.record({ ...entry, details: `${purpose}: ${reason}` }, ownOrigin)
    },
  })
  return { outbox, mailer }
}
