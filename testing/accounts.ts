import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { generate } from 'otplib'
import { api } from '#contract/api.ts'
import type { TestServer } from './server.ts'

interface SignInInput {
  email: string
  password: string
  totp_token?: string
  remember_me?: boolean
  headers?: Record<string, string>
}

/** Signs in and returns the tokens and cookies; throws if signing in requires another step. */
export async function signIn(server: TestServer, { headers, ...body }: SignInInput) {
  const result = await server.call(api.auth.signIn, { body, ...(headers && { headers }) })
  if (!('access_token' in result.data)) throw new Error(`Not signed in: ${JSON.stringify(result.data)}`)
  return { ...result.data, cookies: result.cookies }
}

/** Returns the code of an authenticator app at the server's time, or `steps` codes later if that one has already been used. */
export async function totp(server: TestServer, secret: string, steps = 0): Promise<string> {
  return generate({ secret, epoch: Math.floor(server.clock.now() / 1000) + steps * 30 })
}

export interface StoredMail {
  subject: string
  text: string
  mode: number
  token: string
  code: string
}

/** Returns the mails to an address from the outbox folder, oldest first, each with its link token and 6-digit code. */
export async function mailsTo(server: TestServer, email: string): Promise<StoredMail[]> {
  await server.services.mailer.idle()
  const folder = join(server.config.dataDir, 'outbox')
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.eml')).toSorted()
  // An expired mail may be removed while the others are read.
  const found = await Promise.all(names.map((name) => readMail(join(folder, name), email).catch(ignoreMissing)))
  return found.filter((mail) => mail !== undefined)
}

async function readMail(path: string, email: string): Promise<StoredMail | undefined> {
  const eml = await readFile(path, 'utf8')
  if (!eml.includes(`To: ${email}\r\n`)) return undefined
  const { mode } = await stat(path)
  const text = await readFile(path.replace(/eml$/, 'txt'), 'utf8')
  const token = /\?token=([\w-]+)/.exec(text)?.[1] ?? ''
  const subject = /^Subject: (.*)\r$/m.exec(eml)?.[1] ?? ''
  return { subject, text, mode: mode & 0o777, token, code: /^ {4}(\d{6})$/m.exec(text)?.[1] ?? '' }
}

function ignoreMissing(error: unknown): undefined {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
}

/** Returns the newest mail to an address whose subject begins with `subject`. Throws when there is none. */
export async function newestMail(server: TestServer, email: string, subject: string): Promise<StoredMail> {
  const mail = (await mailsTo(server, email)).findLast((stored) => stored.subject.startsWith(subject))
  if (!mail) throw new Error(`There is no mail "${subject}" to ${email}`)
  return mail
}

/** Enables two-factor for a signed-in user. */
export async function enableTwoFactor(server: TestServer, token: string) {
  const setup = (await server.call(api.profile.enableTwoFactor, { token })).data
  const code = await totp(server, setup.secret)
  await server.call(api.profile.verifyTwoFactor, { token, body: { token: code } })
  return { secret: setup.secret, backupCodes: setup.backup_codes }
}

/** Enables a printed list as the second factor of a signed-in user. Returns the remaining codes. */
export async function enablePrintedCodes(server: TestServer, token: string): Promise<string[]> {
  const setup = await server.call(api.profile.enableTwoFactor, { token, body: { kind: 'printed_codes' } })
  const [first = '', ...codes] = setup.data.backup_codes
  await server.call(api.profile.verifyTwoFactor, { token, body: { token: first } })
  return codes
}
