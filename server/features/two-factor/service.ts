import { generateSecret, generateURI, verify } from 'otplib'
import { toDataURL } from 'qrcode'
import { z } from 'zod'
import { AppError } from '#contract/app-error.ts'
import type { Clock } from '#data/clock.ts'
import type { UserFactors } from '#data/users/user-factors.ts'
import type { UserRecord } from '#data/users/user-record.ts'
import { createFairLimiter } from '#server/security/fair-limiter.ts'
import type { HashPool } from '#server/security/hash-pool.ts'
import { createSealer } from '#server/security/sealer.ts'
import type { Secrets } from '#server/security/secrets.ts'
import { createBackupCodeHasher, makeBackupCodes } from './backup-codes.ts'

const periodSeconds = 30
const secretBytes = 20
const Codes = z.array(z.string())

/** The message for a malformed code at sign-in: accounts specification, section 5. */
export const malformedCodeMessage = 'Please enter a valid 6-digit code or 8-character backup code'
const totpShape = /^\d{6}$/
const backupShape = /^[A-Za-z0-9]{8}$/

/** Returns whether a text looks like a TOTP code or a backup code; otplib throws on anything else. */
export function isCodeShaped(code: string): boolean {
  return totpShape.test(code) || backupShape.test(code)
}

export interface TwoFactorSetup {
  qr_code: string
  secret: string
  totp_uri: string
  backup_codes: string[]
}

type CodeOwner = Pick<UserRecord, 'id' | 'twoFactor'>

interface TwoFactorDeps {
  factors: UserFactors
  clock: Clock
  secrets: Pick<Secrets, 'totp' | 'codes'>
  /** bcrypt cost of passwords; backup codes are hashed with scrypt of similar effort: N is 2 to this power times 4. */
  cost: number
  /** See `createBackupCodeHasher`. */
  pool?: HashPool | undefined
}

/** One at a time, and few per user: QR codes and hashes are costly, and nobody needs many. */
const limits = { concurrency: 1, maxWaiting: 200, maxPerAddress: 50, maxPerAccount: 5 }

/**
 * Time-based codes (RFC 6238) and backup codes. `address` is where the request came from: costly steps take turns between
 * addresses and users, and throw `rate_limited` or `unavailable` when too many wait (security/fair-limiter.ts).
 */
export function createTwoFactor({ factors, clock, secrets, cost, pool }: TwoFactorDeps) {
  const sealer = createSealer(secrets.totp)
  const hasher = createBackupCodeHasher({ pepper: secrets.codes, effort: cost + 2, pool })
  const limiter = createFairLimiter(limits)

  function runInTurn<Result>(address: string, userId: string, task: () => Promise<Result>): Promise<Result> {
    return limiter.run({ address, account: userId }, task)
  }

  /**
   * Creates a pending second factor, replacing an earlier pending one. The secret is shown here and never again. The backup codes
   * are kept sealed until the first right code: only then are they worth ten slow hashes. `seed` is the secret, in base32, of a hardware
   * token that the user has; without one a secret is made. Throws `two_factor_enabled`.
   */
  async function beginSetup(
    user: Pick<UserRecord, 'id' | 'email' | 'twoFactor'>,
    address: string,
    seed?: string,
  ): Promise<TwoFactorSetup> {
    if (user.twoFactor) throw alreadyEnabledError()
    return runInTurn(address, user.id, async () => {
      const secret = seed ?? generateSecret({ length: secretBytes })
      const codes = makeBackupCodes()
      const isStored = await factors.setPending(user.id, {
        secret: sealer.seal(secret, user.id),
        sealedCodes: sealer.seal(JSON.stringify(codes), user.id),
      })
      if (!isStored) throw alreadyEnabledError()
      const uri = generateURI({ issuer: 'Awaz', label: user.email, secret })
      return { qr_code: await toDataURL(uri, { margin: 2, width: 240 }), secret, totp_uri: uri, backup_codes: codes }
    })
  }

  /** Enables the pending factor by its first right code. Returns false for a wrong code or where none is pending. */
  async function confirmSetup(
    user: Pick<UserRecord, 'id' | 'pendingTwoFactor'>,
    code: string,
    address: string,
  ): Promise<boolean> {
    const pending = user.pendingTwoFactor
    if (!pending) return false
    const step = await matchStep(sealer.open(pending.secret, user.id), code)
    if (step === undefined) return false
    const codes = Codes.parse(JSON.parse(sealer.open(pending.sealedCodes, user.id)))
    const hashes = await runInTurn(address, user.id, () => hasher.hashAll(codes))
    return factors.enable(user.id, { secret: pending.secret, ...hashes }, step)
  }

  /** Accepts an authenticator code, each time step once. */
  async function consumeTotp(user: CodeOwner, code: string): Promise<boolean> {
    if (!user.twoFactor) return false
    const step = await matchStep(sealer.open(user.twoFactor.secret, user.id), code)
    return step !== undefined && factors.consumeTotpStep(user.id, step)
  }

  /** Accepts a backup code, each once: the write that removes it decides. */
  async function consumeBackupCode(user: CodeOwner, code: string, address: string): Promise<boolean> {
    const { twoFactor } = user
    if (!twoFactor || !backupShape.test(code)) return false
    const hash = await runInTurn(address, user.id, () => hasher.hashOne(code, twoFactor.backupSalt))
    return hash !== undefined && factors.consumeBackupHash(user.id, hash)
  }

  /** Accepts a code of either kind, as sign-in does. */
  async function consumeCode(user: CodeOwner, code: string, address: string): Promise<boolean> {
    return totpShape.test(code) ? consumeTotp(user, code) : consumeBackupCode(user, code, address)
  }

  /** Returns ten new backup codes; the old ones are void. Throws `conflict` where two-factor is off. */
  async function replaceBackupCodes(userId: string, address: string): Promise<string[]> {
    const codes = makeBackupCodes()
    const hashes = await runInTurn(address, userId, () => hasher.hashAll(codes))
    if (!(await factors.replaceBackupHashes(userId, hashes))) {
      throw new AppError('conflict', 'Two-factor authentication is not enabled')
    }
    return codes
  }

  /** Returns the time step a code belongs to, with one step of clock drift either way; undefined when it belongs to none. */
  async function matchStep(secret: string, code: string): Promise<number | undefined> {
    if (!totpShape.test(code)) return undefined
    const epoch = Math.floor(clock.now() / 1000)
    const result = await verify({ secret, token: code, epoch, epochTolerance: periodSeconds })
    return result.valid ? Math.floor(epoch / periodSeconds) + result.delta : undefined
  }

  return {
    beginSetup,
    confirmSetup,
    consumeTotp,
    consumeCode,
    replaceBackupCodes,
    disable: factors.clear,
    close: () => hasher.close(),
  }
}

export type TwoFactorService = ReturnType<typeof createTwoFactor>

function alreadyEnabledError(): AppError {
  return new AppError('two_factor_enabled', '2FA is already enabled for this user')
}
