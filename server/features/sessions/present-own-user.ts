import type { User } from '#contract/entities/user.ts'
import type { Clock } from '#data/clock.ts'
import type { UserRecord } from '#data/users/user-record.ts'
import type { SignInSettingsService } from '../sign-in-settings/service.ts'
import { twoFactorDueAt } from '../sign-in-settings/two-factor-due.ts'
import { presentUser } from '../users/present.ts'

interface PresentOwnUserDeps {
  signInSettings: Pick<SignInSettingsService, 'current'>
  clock: Clock
}

/** Presents users to themselves, including whether and from when their session needs a second factor, and what is left of it. */
export function createPresentOwnUser({ signInSettings, clock }: PresentOwnUserDeps) {
  return async function presentOwnUser(
    user: UserRecord,
    session?: { hasProvenSecondFactor?: boolean | undefined; hasEnteredPassword?: boolean | undefined },
  ): Promise<User> {
    const shown = presentUser(user)
    const closure = shown.library_closure
    const hasProof = session?.hasProvenSecondFactor === true
    const dueAt = hasProof ? undefined : twoFactorDueAt(user, await signInSettings.current())
    return {
      ...shown,
      library_closure: closure ? { ...closure, needs_password: session?.hasEnteredPassword === false } : null,
      two_factor_grace: hasProof || (dueAt !== undefined && dueAt > clock.now()),
      two_factor_due: dueAt === undefined ? null : new Date(dueAt).toISOString(),
      printed_codes_left: user.twoFactor?.secret === null ? user.twoFactor.backupHashes.length : null,
    }
  }
}

export type PresentOwnUser = ReturnType<typeof createPresentOwnUser>
