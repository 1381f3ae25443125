import { generateSecret, generateURI, verify } from 'otplib'
import { toDataURL } from 'qrcode'
import { z } from 'zod'
import { AppError } from '#contract/app-error.ts'
import { authenticatorCodeShape, printedCodeShape, type SecondFactorChoice } from '#contract/second-factor.ts'
import { parseTokenSeed } from '#contract/token-seed.ts'
import type { Clock } from '#data/clock.ts'
import type { UserFactors } from '#data/users/user-factors.ts'
import type { UserRecord } from '#data/users/user-record.ts'
import { createFairLimiter } from '#server/security/fair-limiter.ts'
import type { HashPool } from '#server/security/hash-pool.ts'
import { createSealer } from '#server/security/sealer.ts'
import type { Secrets } from '#server/security/secrets.ts'
import { backupCodeCount, createBackupCodeHasher, makeCodes, printedCodeCount } from './backup-codes.ts'

const periodSeconds = 30
const secretBytes = 20
const Codes = z.array(z.string())

/** The message for a malformed code at sign-in: accounts specification, section 5. */
export const malformedCodeMessage = 'Please enter a valid 6-digit code or 8-character backup code'

/** Returns whether the user's factor is a printed list, enabled or pending, so that their codes have eight characters. */
export function hasPrintedCodes({
  twoFactor,
  pendingTwoFactor,
}: Pick<UserRecord, 'twoFactor' | 'pendingTwoFactor'>): boolean {
  return (twoFactor ?? pendingTwoFactor)?.secret === null
}

/** Returns whether a text has the shape of a TOTP code or a backup code; otplib throws on anything else. */
export function isCodeShaped(code: string): boolean {
  return authenticatorCodeShape.test(code) || printedCodeShape.test(code)
}

export interface TwoFactorSetup {
  qr_code: string
  secret: string
  totp_uri: string
  backup_codes: string[]
}

type TwoFactor = NonNullable<UserRecord['twoFactor']>
type CodeOwner = Pick<UserRecord, 'id' | 'twoFactor'>
type SetupOwner = CodeOwner & Pick<UserRecord, 'email'>

interface TwoFactorDeps {
  factors: UserFactors
  clock: Clock
  secrets: Pick<Secrets, 'totp' | 'codes'>
  /** bcrypt cost of passwords; backup codes are hashed with scrypt of similar effort: N is 2 to this power times 4. */
  cost: number
  /** See `createBackupCodeHasher`. */
  pool?: HashPool | undefined
}

/** One at a time, and few per user: QR codes and hashes are costly, and nobody needs many of them. */
const limits = { concurrency: 1, maxWaiting: 200, maxPerAddress: 50, maxPerAccount: 5 }

/**
 * Time-based codes (RFC 6238) and backup codes. `address` is where the request came from: costly steps take turns between addresses and
 * users, and throw `rate_limited` or `unavailable` if too many are waiting (security/fair-limiter.ts).
 */
export function createTwoFactor({ factors, clock, secrets, cost, pool }: TwoFactorDeps) {
  const sealer = createSealer(secrets.totp)
  const hasher = createBackupCodeHasher({ pepper: secrets.codes, effort: cost + 2, pool })
  const limiter = createFairLimiter(limits)

  function runInTurn<Result>(address: string, userId: string, task: () => Promise<Result>): Promise<Result> {
    return limiter.run({ address, account: userId }, task)
  }

  /**
   * Creates a pending second factor, an authenticator or a list of codes for printing, replacing an earlier pending one. A secret is shown
   * here and never again. The backup codes are kept sealed until the first right code: only then are they worth ten slow hashes. Throws
   * `two_factor_enabled`.
   */
  async function beginSetup(user: SetupOwner, address: string, choice: SecondFactorChoice): Promise<TwoFactorSetup> {
    if (user.twoFactor) throw alreadyEnabledError()
    return runInTurn(address, user.id, () =>
      choice.kind === 'printed_codes' ? beginPrintedCodes(user) : beginAuthenticator(user, choice.secret),
    )
  }

  async function beginAuthenticator({ id, email }: SetupOwner, seed = ''): Promise<TwoFactorSetup> {
    const secret = parseTokenSeed(seed) ?? generateSecret({ length: secretBytes })
    const codes = makeCodes(backupCodeCount)
    await storePending(id, sealer.seal(secret, id), codes)
    const uri = generateURI({ issuer: 'Awaz', label: email, secret })
    return { qr_code: await toDataURL(uri, { margin: 2, width: 240 }), secret, totp_uri: uri, backup_codes: codes }
  }

  async function beginPrintedCodes({ id }: SetupOwner): Promise<TwoFactorSetup> {
    const codes = makeCodes(printedCodeCount)
    await storePending(id, null, codes)
    return { qr_code: '', secret: '', totp_uri: '', backup_codes: codes }
  }

  async function storePending(userId: string, secret: string | null, codes: string[]): Promise<void> {
    const sealedCodes = sealer.seal(JSON.stringify(codes), userId)
    if (!(await factors.setPending(userId, { secret, sealedCodes }))) throw alreadyEnabledError()
  }

  /**
   * Enables the pending factor with its first right code; this uses up a code of a printed list. Returns false for a wrong code or if none
   * is pending.
   */
  async function confirmSetup(
    user: Pick<UserRecord, 'id' | 'pendingTwoFactor'>,
    code: string,
    address: string,
  ): Promise<boolean> {
    const pending = user.pendingTwoFactor
    if (!pending) return false
    const { secret } = pending
    const codes = Codes.parse(JSON.parse(sealer.open(pending.sealedCodes, user.id)))
    if (secret === null) {
      const rest = codes.filter((listed) => listed !== code.toUpperCase())
      if (rest.length === codes.length) return false
      const hashes = await runInTurn(address, user.id, () => hasher.hashAll(rest))
      return factors.enable(user.id, { pending, twoFactor: { secret, ...hashes } })
    }
    const totpStep = await matchStep(sealer.open(secret, user.id), code, clock.now())
    if (totpStep === undefined) return false
    const hashes = await runInTurn(address, user.id, () => hasher.hashAll(codes))
    return factors.enable(user.id, { pending, twoFactor: { secret, ...hashes }, totpStep })
  }

  /** Accepts an authenticator code, but each time step only once. */
  async function consumeTotp(user: CodeOwner, code: string): Promise<boolean> {
    if (!user.twoFactor?.secret) return false
    const step = await matchStep(sealer.open(user.twoFactor.secret, user.id), code, clock.now())
    return step !== undefined && factors.consumeTotpStep(user.id, step)
  }

  /** Accepts a backup code, but each only once: the write that removes it decides. */
  async function consumeBackupCode(user: CodeOwner, code: string, address: string): Promise<boolean> {
    const { twoFactor } = user
    if (!twoFactor || !printedCodeShape.test(code)) return false
    const hash = await runInTurn(address, user.id, () => hasher.hashOne(code, twoFactor.backupSalt))
    return hash !== undefined && factors.consumeBackupHash(user.id, hash)
  }

  /** Accepts a code of either kind, as sign-in does. */
  async function consumeCode(user: CodeOwner, code: string, address: string): Promise<boolean> {
    return authenticatorCodeShape.test(code) ? consumeTotp(user, code) : consumeBackupCode(user, code, address)
  }

  /**
   * Accepts a code of the factor that the user signs in with: from a printed list if that is the whole factor, otherwise only from the
   * authenticator.
   */
  async function consumeOwnCode(user: CodeOwner, code: string, address: string): Promise<boolean> {
    return user.twoFactor?.secret === null ? consumeBackupCode(user, code, address) : consumeTotp(user, code)
  }

  /** Returns whether a code belongs to a factor that may no longer be the user's. Uses nothing up. */
  async function isCodeOf(userId: string, factor: TwoFactor, code: string, address: string): Promise<boolean> {
    if (authenticatorCodeShape.test(code)) {
      if (factor.secret === null) return false
      return (await matchStep(sealer.open(factor.secret, userId), code, clock.now())) !== undefined
    }
    if (!printedCodeShape.test(code)) return false
    const hash = await runInTurn(address, userId, () => hasher.hashOne(code, factor.backupSalt))
    return hash !== undefined && factor.backupHashes.includes(hash)
  }

  /** Returns new backup codes, or a new printed list; the old codes become void. Throws `conflict` if two-factor is off. */
  async function replaceBackupCodes(user: CodeOwner, address: string): Promise<string[]> {
    const codes = makeCodes(user.twoFactor?.secret === null ? printedCodeCount : backupCodeCount)
    const hashes = await runInTurn(address, user.id, () => hasher.hashAll(codes))
    if (!(await factors.replaceBackupHashes(user.id, hashes))) {
      throw new AppError('conflict', 'Two-factor authentication is not enabled')
    }
    return codes
  }

  return {
    beginSetup,
    confirmSetup,
    consumeOwnCode,
    consumeCode,
    isCodeOf,
    replaceBackupCodes,
    disable: factors.clear,
    close: () => hasher.close(),
  }
}

export type TwoFactorService = ReturnType<typeof createTwoFactor>

/** Returns the time step that a code belongs to, allowing one step of clock drift either way; undefined if it belongs to none. */
async function matchStep(secret: string, code: string, nowMs: number): Promise<number | undefined> {
  if (!authenticatorCodeShape.test(code)) return undefined
  const epoch = Math.floor(nowMs / 1000)
  const result = await verify({ secret, token: code, epoch, epochTolerance: periodSeconds })
  return result.valid ? Math.floor(epoch / periodSeconds) + result.delta : undefined
}

function alreadyEnabledError(): AppError {
  return new AppError('two_factor_enabled', '2FA is already enabled for this user')
}
