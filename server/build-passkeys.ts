import type { Config } from '#data/config.ts'
import type { Clock } from '#data/clock.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { createPasskeyChallengeRepository } from '#data/passkeys/passkey-challenges.ts'
import { createPasskeyRepository } from '#data/passkeys/passkeys.ts'
import type { Audit } from './features/audit/service.ts'
import { createProvenSignIn } from './features/auth/proven-sign-in.ts'
import type { LibraryProofs } from './features/closed-library/proofs.ts'
import { createPasskeyLibraryProof } from './features/passkeys/library-proof.ts'
import { relyingPartyOf } from './features/passkeys/relying-party.ts'
import { createPasskeys } from './features/passkeys/service.ts'
import { createPasskeySignIn } from './features/passkeys/sign-in.ts'
import type { Sessions } from './features/sessions/service.ts'
import type { TwoFactorChange } from './features/two-factor/change.ts'
import type { Users } from './features/users/service.ts'
import type { RateLimiter } from './security/rate-limiter.ts'

interface PasskeyParts {
  config: Config
  connection: DatabaseConnection
  clock: Clock
  users: Users
  sessions: Sessions
  twoFactorChange: TwoFactorChange
  libraryProofs: LibraryProofs
  limiter: RateLimiter
  audit: Audit
}

/** Builds the management of passkeys and signing in with them. */
export function buildPasskeys({ connection, ...parts }: PasskeyParts) {
  const deps = {
    ...parts,
    relyingParty: relyingPartyOf(parts.config.publicUrl),
    passkeys: createPasskeyRepository(connection),
    challenges: createPasskeyChallengeRepository(connection),
  }
  return {
    passkeys: createPasskeys(deps),
    passkeyLibraryProof: createPasskeyLibraryProof(deps),
    passkeySignIn: createPasskeySignIn({ ...deps, signInProven: createProvenSignIn(parts) }),
  }
}
