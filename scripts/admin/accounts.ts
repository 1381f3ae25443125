import { randomBytes } from 'node:crypto'
import { AppError } from '#contract/app-error.ts'
import { Role } from '#contract/entities/user.ts'
import { ChangedNames, NewEmail } from '#contract/names.ts'
import type { UserRecord } from '#data/users/user-record.ts'
import { systemOrigin } from '#server/features/audit/service.ts'
import { findFreeUsername } from '#server/features/users/username-from-email.ts'
import type { Accounts } from '#server/build-accounts.ts'

/** The commands of `awaz admin`. */

const actor = { email: 'command line' }

interface NewAccount {
  username: string | undefined
  firstName: string
  lastName: string
  role: string
}

export async function listUsers({ users }: Accounts): Promise<void> {
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

export async function createUser({ users, audit }: Accounts, email: string, account: NewAccount): Promise<void> {
  const role = parseRole(account.role)
  const address = NewEmail.safeParse(email)
  const names = ChangedNames.safeParse({
    first_name: account.firstName,
    last_name: account.lastName,
    ...(account.username !== undefined && { username: account.username }),
  })
  const errors = [...(address.error?.issues ?? []), ...(names.error?.issues ?? [])].map(({ message }) => message)
  if (!names.success || errors.length > 0) throw new AppError('invalid_input', errors.join('\n'))
  const { first_name: firstName = '', last_name: lastName = '' } = names.data
  const username = names.data.username ?? (await findFreeUsername(users, email))
  const password = makePassword()
  const state = { isActive: true, isVerified: true, mustChangePassword: true, hasTwoFactorGrace: true }
  await users.create({ email, username, password, firstName, lastName, role, ...state })
  await audit.record({ action: 'cli.create', outcome: 'success', actor, target: email, details: role }, systemOrigin)
  console.log(
    `Created ${email} (${role}, username ${username}). Password, to be changed at the first sign-in: ${password}`,
  )
}

export async function setRole(accounts: Accounts, email: string, text: string): Promise<void> {
  const role = parseRole(text)
  const user = await requireUser(accounts, email)
  const apply = () => accounts.users.update(user.id, { role })
  const isStepDown = user.role === 'super_admin' && role !== 'super_admin'
  await (isStepDown ? accounts.superAdminGuard.revokeRights(user.id, apply) : apply())
  await accounts.sessions.endAll(user.id)
  const details = `${user.role} to ${role}`
  await accounts.audit.record({ action: 'cli.role', outcome: 'success', actor, target: email, details }, systemOrigin)
  console.log(`${email} is ${role} now; its sessions ended.`)
}

export async function resetPassword(accounts: Accounts, email: string): Promise<void> {
  const user = await requireUser(accounts, email)
  const password = makePassword()
  await accounts.passwordChange.apply(user, password, { mustChange: true, origin: systemOrigin })
  await accounts.lockouts.unlock(email)
  await accounts.audit.record({ action: 'cli.reset_password', outcome: 'success', actor, target: email }, systemOrigin)
  console.log(`New password of ${email}, to be changed at the next sign-in: ${password}`)
}

export async function resetTwoFactor(accounts: Accounts, email: string): Promise<void> {
  const user = await requireUser(accounts, email)
  await accounts.twoFactor.disable(user.id)
  await accounts.passkeys.removeAll(user.id)
  await accounts.twoFactorChange.announce(user, 'disable', { origin: systemOrigin, actor })
  console.log(`Two-factor of ${email} is off; its sessions ended.`)
}

export async function openLibrary(
  accounts: Accounts,
  email: string,
  { keepsAddress }: { keepsAddress: boolean },
): Promise<void> {
  const user = await requireUser(accounts, email)
  await accounts.closedLibraries.open(user, {
    actor,
    origin: systemOrigin,
    address: keepsAddress ? 'present' : 'former',
  })
  const { email: kept } = await accounts.users.get(user.id)
  console.log(`The library of ${kept} is open; its sessions ended.`)
}

export async function unlock(accounts: Accounts, email: string): Promise<void> {
  await requireUser(accounts, email)
  await accounts.lockouts.unlock(email)
  await accounts.audit.record({ action: 'cli.unlock', outcome: 'success', actor, target: email }, systemOrigin)
  console.log(`${email} is unlocked.`)
}

async function requireUser(accounts: Accounts, email: string): Promise<UserRecord> {
  const user = await accounts.users.findByEmail(email)
  if (!user) throw new AppError('not_found', `There is no account with the e-mail ${email}.`)
  return user
}

function parseRole(text: string): Role {
  const role = Role.safeParse(text)
  if (role.success) return role.data
  throw new AppError('invalid_input', `There is no role "${text}". Roles: user, admin, super_admin.`)
}

/** Returns a random password that satisfies the rules. */
function makePassword(): string {
  return `${randomBytes(12).toString('base64url').replaceAll(/(.)\1/g, '$1x')}-Aa7!`
}
