import { join } from 'node:path'
import { createAuditEventRepository } from '#data/audit/audit-events.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { createKnownDeviceRepository } from '#data/devices/known-devices.ts'
import { createKeywordRepository } from '#data/keywords/keywords.ts'
import { createLockoutRepository } from '#data/lockouts/lockouts.ts'
import { createPasswordResetRepository } from '#data/proofs/password-resets.ts'
import { prepareData } from '#data/prepare-data.ts'
import { createVerificationRepository } from '#data/proofs/verifications.ts'
import { createRefreshTokenRepository } from '#data/sessions/refresh-tokens.ts'
import { createSessionRepository } from '#data/sessions/sessions.ts'
import { createRateRepository } from '#data/system/rates.ts'
import { createSystemFactRepository } from '#data/system/system-facts.ts'
import { createSuperAdminLock } from '#data/users/super-admin-lock.ts'
import { createUserFactors } from '#data/users/user-factors.ts'
import { createUserLists } from '#data/users/user-lists.ts'
import { createUserRepository } from '#data/users/users.ts'
import { createOutboxRepository } from '#data/outbox/outbox-mails.ts'
import { buildClosedLibrary } from './build-closed-library.ts'
import { buildPasskeys } from './build-passkeys.ts'
import { createApiKeys } from './features/api-keys/service.ts'
import { createAudit, systemOrigin, type Audit } from './features/audit/service.ts'
import { createPasswordChange } from './features/auth/password-change.ts'
import { createPasswordReset } from './features/auth/password-reset.ts'
import { createPasswordPolicy } from './features/auth/password-policy.ts'
import { createRegistration } from './features/auth/registration.ts'
import { createSignIn } from './features/auth/sign-in.ts'
import { createJoinInvitedCases } from './features/cases/invitees.ts'
import { createInvitations } from './features/invitations/service.ts'
import { createKeywords } from './features/keywords/service.ts'
import { createCookies } from './features/sessions/cookies.ts'
import { createKnownDevices } from './features/sessions/known-devices.ts'
import { createPresentOwnUser } from './features/sessions/present-own-user.ts'
import { createSessions } from './features/sessions/service.ts'
import { createSignInSettings } from './features/sign-in-settings/service.ts'
import { createTokens } from './features/sessions/tokens.ts'
import { removeInitialPassword } from './features/system/first-admin.ts'
import { createTwoFactorChange } from './features/two-factor/change.ts'
import { createReauthenticate } from './features/two-factor/reauthenticate.ts'
import { createTwoFactor } from './features/two-factor/service.ts'
import { createUsers } from './features/users/service.ts'
import { createSuperAdminGuard } from './features/users/super-admin-guard.ts'
import { createWebhooks } from './features/webhooks/service.ts'
import { createInterfaceTexts, type InterfaceTexts } from './http/interface-texts.ts'
import { createLockouts, lockoutRules } from './security/lockouts.ts'
import { createPasswordHasher } from './security/password-hasher.ts'
import { createRateLimiter } from './security/rate-limiter.ts'
import { loadSecrets, type Secrets } from './security/secrets.ts'
import type { ServiceOptions } from './service-options.ts'
import { createMailer } from './features/mail/mailer.ts'
import { createOutbox } from './features/mail/outbox.ts'

export type Accounts = Awaited<ReturnType<typeof buildAccounts>>

/** Builds the account services; the command line uses them without the rest. */
export async function buildAccounts(options: ServiceOptions) {
  const { config, database, clock, log, hashPool } = options
  const { connection } = database
  const { dataDir, publicUrl, temporaryPasswordDays } = config
  const { canMigrate, onMigration } = options
  await prepareData({ connection, config, log, canMigrate, onProgress: onMigration })
  const userRepository = createUserRepository(connection)
  const secrets = await loadSecrets({ dataDir, facts: createSystemFactRepository(connection), users: userRepository })
  const hasher = createPasswordHasher({ cost: config.bcryptCost, pepper: secrets.pepper, pool: hashPool })
  const lockouts = createLockouts({
    repository: createLockoutRepository(connection, lockoutRules),
    clock,
    key: secrets.codes,
  })
  const limiter = createRateLimiter({ rates: createRateRepository(connection), clock, log })
  const audit = createAudit({ events: createAuditEventRepository(connection), clock })
  const interfaceTexts = createInterfaceTexts({ correctionsDir: join(dataDir, 'texts'), log })
  const { outbox, mailer } = buildMail(options, { audit, texts: interfaceTexts })
  const signInSettings = createSignInSettings({ config, connection, audit, clock })

  const lists = createUserLists(connection)
  const users = createUsers({ repository: userRepository, lists, clock, hasher, temporaryPasswordDays })
  const superAdminGuard = createSuperAdminGuard({ lock: createSuperAdminLock(connection), users })

  const tokens = createTokens({ key: secrets.accessTokens, clock })
  const sessions = createSessions({
    sessions: createSessionRepository(connection),
    refreshTokens: createRefreshTokenRepository(connection),
    users: userRepository,
    signInSettings,
    clock,
    tokens,
    onReuse: async ({ userId, sessionId }, origin) => {
      const actor = { id: userId, email: (await users.findById(userId))?.email ?? '' }
      await audit.record({ action: 'auth.token_reuse', outcome: 'denied', actor, target: sessionId }, origin)
    },
    onStart: createJoinInvitedCases({ connection, users, audit }),
  })
  const devices = createKnownDevices({ repository: createKnownDeviceRepository(connection), clock, key: secrets.codes })

  const factors = createUserFactors(connection)
  const twoFactor = createTwoFactor({ factors, clock, secrets, cost: config.bcryptCost, pool: hashPool })

  const passwordPolicy = createPasswordPolicy(config)
  const passwordChange = createPasswordChange({
    users,
    sessions,
    devices,
    mailer,
    clock,
    removeInitialPassword: (email) => removeInitialPassword(dataDir, email),
  })
  const reauthenticate = createReauthenticate({ hasher, lockouts, twoFactor, audit, users })
  const twoFactorChange = createTwoFactorChange({ sessions, mailer, audit, clock })
  const sharedDeps = { clock, publicUrl, users, passwordPolicy, passwordChange, mailer, outbox, audit }
  const proofs = buildMailProofs(sharedDeps, { connection, secrets })
  const closing = buildClosedLibrary({ ...sharedDeps, connection, sessions, hasher, twoFactor, limiter, ...proofs })
  const { libraryProofs } = closing

  return {
    secrets,
    hasher,
    audit,
    users,
    signInSettings,
    sessions,
    presentOwnUser: createPresentOwnUser({ signInSettings, clock }),
    tokens,
    cookies: createCookies({ tokens, publicUrl }),
    lockouts,
    twoFactor,
    twoFactorChange,
    ...closing,
    ...buildPasskeys({ config, connection, clock, users, sessions, twoFactorChange, libraryProofs, limiter, audit }),
    devices,
    limiter,
    outbox,
    mailer,
    interfaceTexts,
    passwordPolicy,
    passwordChange,
    ...proofs,
    invitations: createInvitations({ ...sharedDeps, connection, signInSettings, limiter }),
    superAdminGuard,
    reauthenticate,
    confirmByCode: reauthenticate.confirmByCode,
    signIn: createSignIn({
      config,
      clock,
      users,
      hasher,
      lockouts,
      devices,
      limiter,
      twoFactor,
      sessions,
      libraryProofs,
      audit,
    }),
    keywords: createKeywords({ keywords: createKeywordRepository(connection) }),
    apiKeys: createApiKeys({ connection, users: userRepository, signInSettings, clock, audit, mailer }),
    webhooks: createWebhooks({ connection, clock, config, key: secrets.webhooks, users, audit, mailer, limiter, log }),
  }
}

type MailProofDeps = Omit<Parameters<typeof createRegistration>[0], 'verifications'> &
  Omit<Parameters<typeof createPasswordReset>[0], 'resets' | 'codeKey'>

/** Builds registration and password reset, which verify addresses by mail, and a function that voids their links. */
function buildMailProofs(
  deps: MailProofDeps,
  { connection, secrets }: { connection: DatabaseConnection; secrets: Secrets },
) {
  const registration = createRegistration({ ...deps, verifications: createVerificationRepository(connection) })
  const resets = createPasswordResetRepository(connection)
  const passwordReset = createPasswordReset({ ...deps, resets, codeKey: secrets.codes })

  async function voidLinks(userId: string): Promise<void> {
    await registration.voidLinks(userId)
    await passwordReset.voidReset(userId)
  }

  return { registration, passwordReset, voidLinks }
}

/** Builds the outbox and the mailer that sends from it. Each failed mail is recorded once in the audit trail. */
function buildMail(
  { config, database, clock, log, maxMailDelayMs: maxDelayMs }: ServiceOptions,
  { audit, texts }: { audit: Audit; texts: InterfaceTexts },
) {
  const { dataDir, mailFrom: from, smtpUrl, smtpCa } = config
  const outbox = createOutbox({ mails: createOutboxRepository(database.connection), clock, dataDir, from })
  const mailer = createMailer({
    log,
    outbox,
    texts,
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
