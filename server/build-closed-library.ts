import type { Clock } from '#data/clock.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { createPasskeyRepository } from '#data/passkeys/passkeys.ts'
import { createLibraryClosureRepository } from '#data/users/library-closures.ts'
import type { Audit } from './features/audit/service.ts'
import { createLibraryProofs } from './features/closed-library/proofs.ts'
import { createClosedLibraries } from './features/closed-library/service.ts'
import type { Mailer } from './features/mail/mailer.ts'
import type { Sessions } from './features/sessions/service.ts'
import type { TwoFactorService } from './features/two-factor/service.ts'
import type { Users } from './features/users/service.ts'
import type { PasswordHasher } from './security/password-hasher.ts'
import type { RateLimiter } from './security/rate-limiter.ts'

interface ClosedLibraryParts {
  connection: DatabaseConnection
  users: Users
  sessions: Sessions
  hasher: PasswordHasher
  twoFactor: TwoFactorService
  limiter: RateLimiter
  voidLinks: (userId: string) => Promise<void>
  mailer: Mailer
  audit: Audit
  clock: Clock
}

/** Builds the services that close the libraries of accounts reset by administrators, and reopen them. */
export function buildClosedLibrary({ connection, ...parts }: ClosedLibraryParts) {
  const closures = createLibraryClosureRepository(connection)
  const passkeys = createPasskeyRepository(connection)
  const closedLibraries = createClosedLibraries({ ...parts, closures, passkeys })
  return { closedLibraries, libraryProofs: createLibraryProofs({ ...parts, closedLibraries }) }
}
