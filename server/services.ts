import type { Logger } from 'pino'
import type { Clock } from '#data/clock.ts'
import type { Config } from '#data/config.ts'
import type { Database } from '#data/connect.ts'
import { ensureIndexes } from '#data/model.ts'
import { createAudit } from './features/audit/service.ts'
import { createLockouts } from './features/auth/lockouts.ts'
import { createPasswordHasher } from './features/auth/password-hasher.ts'
import { createSignIn } from './features/auth/sign-in.ts'
import { createMailer } from './features/mail/mailer.ts'
import { createOutbox } from './features/mail/outbox.ts'
import { createCookies } from './features/sessions/cookies.ts'
import { createSessions } from './features/sessions/service.ts'
import { createTokens } from './features/sessions/tokens.ts'
import { createRateLimiter } from './features/system/rate-limiter.ts'
import { createReadiness } from './features/system/readiness.ts'
import { ensureFirstAdmin } from './features/system/first-admin.ts'
import { loadSecrets } from './features/system/secrets.ts'
import { createTwoFactor } from './features/two-factor/service.ts'
import { createUsers } from './features/users/service.ts'
import { buildWork } from './features/work/build.ts'

interface ServiceOptions {
  config: Config
  database: Database
  clock: Clock
  log: Logger
}

/** What runs when a user is deleted: cancels work and removes what the user owns. */
export type UserRemover = (userId: string) => Promise<void>

/** Everything routes work with, built once at start and handed down. */
export type Services = Awaited<ReturnType<typeof buildServices>>

/** Builds the services on a connected database: secrets, indexes and the first super admin are there afterwards. */
export async function buildServices({ config, database, clock, log }: ServiceOptions) {
  const { connection } = database
  const secrets = await loadSecrets(config.dataDir, connection)
  const hasher = createPasswordHasher({ cost: config.bcryptCost, pepper: secrets.pepper })
  const audit = createAudit({ connection, clock })
  const users = createUsers({ connection, clock, hasher })
  const tokens = createTokens({ key: secrets.accessTokens, clock })
  const sessions = createSessions({
    connection,
    clock,
    tokens,
    onReuse: async ({ userId, sessionId }, origin) => {
      const user = await users.findById(userId)
      const actor = { id: userId, email: user?.email ?? '' }
      await audit.record({ action: 'auth.token_reuse', outcome: 'denied', actor, target: sessionId }, origin)
    },
  })
  const cookies = createCookies({ tokens, publicUrl: config.publicUrl })
  const lockouts = createLockouts({ connection, clock, key: secrets.codes })
  const twoFactor = createTwoFactor({ connection, clock, secrets })
  const limiter = createRateLimiter({ connection, clock, log })
  const outbox = createOutbox({ connection, clock, dataDir: config.dataDir, from: config.mailFrom })
  const mailer = createMailer({ log, outbox, smtpUrl: config.smtpUrl, from: config.mailFrom })
  const signIn = createSignIn({ config, clock, users, hasher, lockouts, twoFactor, sessions, audit })
  const work = await buildWork({ config, connection, clock, sessions, log })
  await ensureIndexes(connection)
  await ensureFirstAdmin({ users, log, dataDir: config.dataDir, adminEmail: config.adminEmail })
  const userRemovers: UserRemover[] = []

  return {
    config,
    database,
    clock,
    log,
    secrets,
    hasher,
    audit,
    users,
    sessions,
    tokens,
    cookies,
    lockouts,
    twoFactor,
    limiter,
    outbox,
    mailer,
    signIn,
    work,
    readiness: createReadiness(),
    /** Features that own things of users add themselves here when they are mounted. */
    userRemovers,
    async close() {
      await work.close()
      await mailer.close()
      await hasher.close()
    },
  }
}
