import type { Connection, Types } from 'mongoose'
import { generateSecret, generateURI, verify } from 'otplib'
import { toDataURL } from 'qrcode'
import { z } from 'zod'
import { AppError } from '#contract/app-error.ts'
import type { Clock } from '#data/clock.ts'
import { userModel, type PendingTwoFactor, type UserDoc } from '#data/users/user-model.ts'
import { createTurns } from '../auth/turns.ts'
import type { Secrets } from '../system/secrets.ts'
import { createBackupCodeHasher, makeBackupCodes } from './backup-codes.ts'
import { createSealer } from './sealer.ts'

const periodSeconds = 30
const secretBytes = 20
const Codes = z.array(z.string())

/** A malformed code at sign-in: accounts specification, section 5. */
export const malformedCodeMessage = 'Please enter a valid 6-digit code or 8-character backup code'
const totpShape = /^\d{6}$/
const backupShape = /^[A-Za-z0-9]{8}$/

/** Whether a text looks like a TOTP code or a backup code. otplib throws on anything else. */
export function isCodeShaped(code: string): boolean {
  return totpShape.test(code) || backupShape.test(code)
}

export interface TwoFactorSetup {
  qr_code: string
  secret: string
  totp_uri: string
  backup_codes: string[]
}

type CodeOwner = Pick<UserDoc, '_id' | 'twoFactor'>

interface TwoFactorDeps {
  connection: Connection
  clock: Clock
  secrets: Secrets
  /** bcrypt cost of passwords; backup codes are hashed with scrypt of like effort: N is 2 to this power times 4. */
  cost: number
}

/** One at a time, and few of one user: pictures and hashes cost, and nobody needs many. */
const turnLimits = { concurrent: 1, maxWaiting: 200, maxPerAddress: 50, maxPerAccount: 5 }

/**
 * Time-based codes (RFC 6238) and backup codes. `address` is where the request came from: costly steps take turns between
 * addresses and users, and throw `rate_limited` or `unavailable` when too much waits (auth/turns.ts).
 */
export function createTwoFactor({ connection, clock, secrets, cost }: TwoFactorDeps) {
  const users = userModel(connection)
  const sealer = createSealer(secrets.totp)
  const hasher = createBackupCodeHasher({ pepper: secrets.codes, effort: cost + 2 })
  const turns = createTurns(turnLimits)

  function inTurn<Result>(address: string, userId: Types.ObjectId, work: () => Promise<Result>): Promise<Result> {
    return turns.take({ address, account: userId.toHexString() }, work)
  }

  /**
   * Makes a pending second factor, replacing an earlier pending one. The secret is shown here and never again. The backup codes are
   * kept sealed until the first right code: only then are they worth ten slow hashes.
   */
  async function begin(user: Pick<UserDoc, '_id' | 'email' | 'twoFactor'>, address: string): Promise<TwoFactorSetup> {
    if (user.twoFactor) throw alreadyEnabled()
    return inTurn(address, user._id, async () => {
      const secret = generateSecret({ length: secretBytes })
      const codes = makeBackupCodes()
      const pendingTwoFactor: PendingTwoFactor = {
        secret: sealer.seal(secret, user._id),
        sealedCodes: sealer.seal(JSON.stringify(codes), user._id),
      }
      const { matchedCount } = await users.updateOne({ _id: user._id, twoFactor: null }, { $set: { pendingTwoFactor } })
      if (matchedCount === 0) throw alreadyEnabled()
      const uri = generateURI({ issuer: 'Awaz', label: user.email, secret })
      return { qr_code: await toDataURL(uri, { margin: 2, width: 240 }), secret, totp_uri: uri, backup_codes: codes }
    })
  }

  /** Makes the pending factor the enabled one by its first right code. Answers false for a wrong code or none pending. */
  async function confirm(
    user: Pick<UserDoc, '_id' | 'pendingTwoFactor'>,
    code: string,
    address: string,
  ): Promise<boolean> {
    const pending = user.pendingTwoFactor
    if (!pending) return false
    const step = await matchStep(sealer.open(pending.secret, user._id), code)
    if (step === undefined) return false
    const codes = Codes.parse(JSON.parse(sealer.open(pending.sealedCodes, user._id)))
    const hashes = await inTurn(address, user._id, () => hasher.hashAll(codes))
    const { matchedCount } = await users.updateOne(
      { _id: user._id, twoFactor: null, 'pendingTwoFactor.secret': pending.secret },
      { $set: { twoFactor: { secret: pending.secret, ...hashes }, pendingTwoFactor: null, lastTotpStep: step } },
    )
    return matchedCount === 1
  }

  /** Takes an authenticator code, each time step once. */
  async function takeTotp(user: CodeOwner, code: string): Promise<boolean> {
    if (!user.twoFactor) return false
    const step = await matchStep(sealer.open(user.twoFactor.secret, user._id), code)
    if (step === undefined) return false
    const { matchedCount } = await users.updateOne(
      { _id: user._id, lastTotpStep: { $lt: step } },
      { $set: { lastTotpStep: step } },
    )
    return matchedCount === 1
  }

  /** Takes a backup code, each once: the write that removes it decides. */
  async function takeBackupCode(user: CodeOwner, code: string, address: string): Promise<boolean> {
    const { twoFactor } = user
    if (!twoFactor || !backupShape.test(code)) return false
    const hash = await inTurn(address, user._id, () => hasher.hashOne(code, twoFactor.backupSalt))
    if (hash === undefined) return false
    const { modifiedCount } = await users.updateOne(
      { _id: user._id, 'twoFactor.backupHashes': hash },
      { $pull: { 'twoFactor.backupHashes': hash } },
    )
    return modifiedCount === 1
  }

  /** A code of either kind, as sign-in takes them. */
  async function takeCode(user: CodeOwner, code: string, address: string): Promise<boolean> {
    return totpShape.test(code) ? takeTotp(user, code) : takeBackupCode(user, code, address)
  }

  /** Ten new backup codes; the old ones are void. */
  async function replaceBackupCodes(userId: Types.ObjectId, address: string): Promise<string[]> {
    const codes = makeBackupCodes()
    const { backupSalt, backupHashes } = await inTurn(address, userId, () => hasher.hashAll(codes))
    const { matchedCount } = await users.updateOne(
      { _id: userId, twoFactor: { $ne: null } },
      { $set: { 'twoFactor.backupSalt': backupSalt, 'twoFactor.backupHashes': backupHashes } },
    )
    if (matchedCount === 0) throw new AppError('conflict', 'Two-factor authentication is not enabled')
    return codes
  }

  async function disable(userId: Types.ObjectId): Promise<void> {
    await users.updateOne({ _id: userId }, { $set: { twoFactor: null, pendingTwoFactor: null } })
  }

  /** The time step a code belongs to, one step of clock drift either way; undefined when it belongs to none. */
  async function matchStep(secret: string, code: string): Promise<number | undefined> {
    if (!totpShape.test(code)) return undefined
    const epoch = Math.floor(clock.now() / 1000)
    const result = await verify({ secret, token: code, epoch, epochTolerance: periodSeconds })
    return result.valid ? Math.floor(epoch / periodSeconds) + result.delta : undefined
  }

  return { begin, confirm, takeTotp, takeCode, replaceBackupCodes, disable, close: () => hasher.close() }
}

export type TwoFactorService = ReturnType<typeof createTwoFactor>

function alreadyEnabled(): AppError {
  return new AppError('two_factor_enabled', '2FA is already enabled for this user')
}
