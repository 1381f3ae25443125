import { createCipheriv, createDecipheriv, createHmac, randomBytes, randomInt, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import type { Connection, Types } from 'mongoose'
import { generateSecret, generateURI, verify } from 'otplib'
import { toDataURL } from 'qrcode'
import { AppError } from '#contract/app-error.ts'
import type { Clock } from '#data/clock.ts'
import { userModel, type TwoFactor, type UserDoc } from '#data/accounts/user-model.ts'
import type { Secrets } from '../system/secrets.ts'

const periodSeconds = 30
const secretBytes = 20
const backupCodeCount = 10
const backupCodeLength = 8
/** Crockford's alphabet without letters that are read for digits. */
const backupAlphabet = '23456789ABCDEFGHJKMNPQRSTVWXYZ'
const slowHash = promisify<string, string, number, { N: number; r: number; p: number; maxmem: number }, Buffer>(scrypt)

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

/** Time-based codes (RFC 6238) and backup codes. */
export function createTwoFactor({ connection, clock, secrets, cost }: TwoFactorDeps) {
  const users = userModel(connection)

  /** Makes a pending second factor, replacing an earlier pending one. The secret is shown here and never again. */
  async function begin(user: Pick<UserDoc, '_id' | 'email' | 'twoFactor'>): Promise<TwoFactorSetup> {
    if (user.twoFactor) throw new AppError('two_factor_enabled', '2FA is already enabled for this user')
    const secret = generateSecret({ length: secretBytes })
    const { codes, kept } = await makeBackupCodes()
    const pendingTwoFactor: TwoFactor = { secret: seal(secret, user._id), ...kept }
    const { matchedCount } = await users.updateOne({ _id: user._id, twoFactor: null }, { $set: { pendingTwoFactor } })
    if (matchedCount === 0) throw new AppError('two_factor_enabled', '2FA is already enabled for this user')
    const uri = generateURI({ issuer: 'Awaz', label: user.email, secret })
    return { qr_code: await toDataURL(uri, { margin: 2, width: 240 }), secret, totp_uri: uri, backup_codes: codes }
  }

  /** Makes the pending factor the enabled one by its first right code. Answers false for a wrong code or none pending. */
  async function confirm(user: Pick<UserDoc, '_id' | 'pendingTwoFactor'>, code: string): Promise<boolean> {
    const pending = user.pendingTwoFactor
    if (!pending) return false
    const step = await matchStep(open(pending.secret, user._id), code)
    if (step === undefined) return false
    const { matchedCount } = await users.updateOne(
      { _id: user._id, twoFactor: null, 'pendingTwoFactor.secret': pending.secret },
      { $set: { twoFactor: pending, pendingTwoFactor: null, lastTotpStep: step } },
    )
    return matchedCount === 1
  }

  /** Takes an authenticator code, each time step once. */
  async function takeTotp(user: CodeOwner, code: string): Promise<boolean> {
    if (!user.twoFactor) return false
    const step = await matchStep(open(user.twoFactor.secret, user._id), code)
    if (step === undefined) return false
    const { matchedCount } = await users.updateOne(
      { _id: user._id, lastTotpStep: { $lt: step } },
      { $set: { lastTotpStep: step } },
    )
    return matchedCount === 1
  }

  /** Takes a backup code, each once: the write that removes it decides. */
  async function takeBackupCode(user: CodeOwner, code: string): Promise<boolean> {
    if (!user.twoFactor || !backupShape.test(code)) return false
    const hash = await hashBackupCode(code, user.twoFactor.backupSalt)
    const { modifiedCount } = await users.updateOne(
      { _id: user._id, 'twoFactor.backupHashes': hash },
      { $pull: { 'twoFactor.backupHashes': hash } },
    )
    return modifiedCount === 1
  }

  /** A code of either kind, as sign-in takes them. */
  async function takeCode(user: CodeOwner, code: string): Promise<boolean> {
    return totpShape.test(code) ? takeTotp(user, code) : takeBackupCode(user, code)
  }

  /** Ten new backup codes; the old ones are void. */
  async function replaceBackupCodes(userId: Types.ObjectId): Promise<string[]> {
    const { codes, kept } = await makeBackupCodes()
    const { matchedCount } = await users.updateOne(
      { _id: userId, twoFactor: { $ne: null } },
      { $set: { 'twoFactor.backupSalt': kept.backupSalt, 'twoFactor.backupHashes': kept.backupHashes } },
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

  async function makeBackupCodes() {
    const codes = new Set<string>()
    while (codes.size < backupCodeCount) {
      codes.add(
        Array.from({ length: backupCodeLength }, () => backupAlphabet[randomInt(backupAlphabet.length)]).join(''),
      )
    }
    const backupSalt = `${cost + 2}$${randomBytes(16).toString('base64')}`
    const backupHashes = await Promise.all([...codes].map((code) => hashBackupCode(code, backupSalt)))
    return { codes: [...codes], kept: { backupSalt, backupHashes } }
  }

  /**
   * One salt for the ten codes of a user, so that checking a code is one slow hash and not ten. The salt begins with the effort it
   * was made with, so that another setting later leaves old codes valid.
   */
  async function hashBackupCode(code: string, salt: string): Promise<string> {
    const peppered = createHmac('sha256', secrets.codes).update(`backup:${code.toUpperCase()}`).digest('base64')
    const effort = Number(salt.split('$')[0])
    const options = { N: 2 ** effort, r: 8, p: 1, maxmem: 2 ** effort * 1024 * 2 }
    return (await slowHash(peppered, salt, 32, options)).toString('base64')
  }

  /** AES-256-GCM, bound to the user: base64 of nonce (12 bytes), tag (16) and ciphertext. */
  function seal(secret: string, userId: Types.ObjectId): string {
    const nonce = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', secrets.totp, nonce).setAAD(Buffer.from(userId.toHexString()))
    const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64')
  }

  function open(sealed: string, userId: Types.ObjectId): string {
    const bytes = Buffer.from(sealed, 'base64')
    const decipher = createDecipheriv('aes-256-gcm', secrets.totp, bytes.subarray(0, 12))
    decipher.setAAD(Buffer.from(userId.toHexString())).setAuthTag(bytes.subarray(12, 28))
    return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
  }

  return { begin, confirm, takeTotp, takeCode, replaceBackupCodes, disable }
}

export type TwoFactorService = ReturnType<typeof createTwoFactor>
