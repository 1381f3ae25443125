import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { pino } from 'pino'
import { AppError } from '#contract/app-error.ts'
import { Role } from '#contract/entities/user.ts'
import { Email } from '#contract/scalars.ts'
import { systemClock } from '#data/clock.ts'
import { readConfig } from '#data/config.ts'
import { connectDatabase } from '#data/connect.ts'
import { ensureIndexes } from '#data/model.ts'
import type { UserDoc } from '#data/accounts/user-model.ts'
import { buildAccounts, type Accounts } from '#server/services.ts'
import { ownOrigin } from '#server/features/audit/service.ts'
import { openCliDatabase } from './database.ts'

const usage = `Usage: npm run awaz -- admin COMMAND

  list                                     accounts with role and state
  create EMAIL [--username NAME] [--role user|admin|super_admin]
                                           a new account; prints a password that must be changed
  reset-password EMAIL                     prints a new password that must be changed
  reset-2fa EMAIL                          switches two-factor off
  unlock EMAIL                             ends the lock after failed attempts`

const actor = { email: 'command line' }

/** `awaz admin ...`: accounts from the command line of the server, for when nobody can sign in. Every deed is audited. */
export async function run(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      username: { type: 'string' },
      role: { type: 'string', default: 'super_admin' },
      help: { type: 'boolean' },
    },
  })
  const [command = 'help', email] = positionals
  const known: Record<string, (accounts: Accounts) => Promise<void>> = {
    list: listUsers,
    create: (accounts) => createUser(accounts, parseEmail(email), values),
    'reset-password': (accounts) => resetPassword(accounts, parseEmail(email)),
    'reset-2fa': (accounts) => resetTwoFactor(accounts, parseEmail(email)),
    unlock: (accounts) => unlock(accounts, parseEmail(email)),
  }
  const deed = Object.hasOwn(known, command) ? known[command] : undefined
  if (!deed || values.help) {
    console.log(usage)
    return values.help || command === 'help' ? 0 : 1
  }
  if (command !== 'list') parseEmail(email)
  await withAccounts(deed)
  return 0
}

async function withAccounts(deed: (accounts: Accounts) => Promise<void>): Promise<void> {
  const config = readConfig(process.env)
  const engine = await openCliDatabase(config)
  const database = await connectDatabase({ mongodbUri: engine.uri })
  const log = pino({ level: 'silent' })
  try {
    const accounts = await buildAccounts({ config, database, clock: systemClock, log })
    await ensureIndexes(database.connection)
    try {
      await deed(accounts)
    } finally {
      await accounts.mailer.close()
      await accounts.hasher.close()
    }
  } finally {
    await database.close()
    await engine.stop()
  }
}

function parseEmail(text: string | undefined): string {
  const parsed = Email.safeParse(text ?? '')
  if (!parsed.success)
    throw new AppError('invalid_input', 'Please give the e-mail address of the account.', { help: usage })
  return parsed.data
}

async function requireUser(accounts: Accounts, email: string): Promise<UserDoc> {
  const user = await accounts.users.findByEmail(email)
  if (!user) throw new AppError('not_found', `There is no account with the e-mail ${email}.`)
  return user
}

/** Random, and within the rules of every form. */
function makePassword(): string {
  return `${randomBytes(12).toString('base64url').replaceAll(/(.)\1/g, '$1x')}-Aa7!`
}

async function listUsers({ users }: Accounts): Promise<void> {
  const perPage = 100
  for (let page = 1; ; page += 1) {
    const { rows, total } = await users.list({ search: '' }, { page, per_page: perPage })
    for (const user of rows) {
      const marks = [!user.isActive && 'deactivated', !user.isVerified && 'unverified', user.twoFactor && '2FA']
      console.log([user.email.padEnd(40), user.role.padEnd(12), ...marks.filter(Boolean)].join(' ').trimEnd())
    }
    if (page * perPage >= total) return
  }
}

async function createUser({ users, audit }: Accounts, email: string, options: { username?: string; role: string }) {
  const role = Role.safeParse(options.role)
  if (!role.success) throw new AppError('invalid_input', `There is no role "${options.role}".`, { help: usage })
  const password = makePassword()
  const username = options.username ?? email.replace(/@.*/, '')
  const names = { firstName: '', lastName: '' }
  const state = { isActive: true, isVerified: true, mustChangePassword: true }
  await users.create({ email, username, password, role: role.data, ...names, ...state })
  await audit.record({ action: 'cli.create', outcome: 'success', actor, target: email, details: role.data }, ownOrigin)
  console.log(`Created ${email} (${role.data}). Password, to be changed at the first sign-in: ${password}`)
}

async function resetPassword(accounts: Accounts, email: string): Promise<void> {
  const user = await requireUser(accounts, email)
  const password = makePassword()
  await accounts.passwordChange.apply(user, password, { mustChange: true, origin: ownOrigin })
  await accounts.lockouts.unlock(email)
  await accounts.audit.record({ action: 'cli.reset_password', outcome: 'success', actor, target: email }, ownOrigin)
  console.log(`New password of ${email}, to be changed at the next sign-in: ${password}`)
}

async function resetTwoFactor(accounts: Accounts, email: string): Promise<void> {
  const user = await requireUser(accounts, email)
  await accounts.twoFactor.disable(user._id)
  await accounts.twoFactorChange.announce(user, 'disable', { origin: ownOrigin, actor })
  console.log(`Two-factor of ${email} is off; its sessions ended.`)
}

async function unlock(accounts: Accounts, email: string): Promise<void> {
  await accounts.lockouts.unlock(email)
  await accounts.audit.record({ action: 'cli.unlock', outcome: 'success', actor, target: email }, ownOrigin)
  console.log(`${email} is unlocked.`)
}
