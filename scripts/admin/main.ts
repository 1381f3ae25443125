import { parseArgs } from 'node:util'
import { pino } from 'pino'
import { AppError } from '#contract/app-error.ts'
import { Email } from '#contract/scalars.ts'
import { systemClock } from '#data/clock.ts'
import { readConfig } from '#data/config.ts'
import { connectDatabase } from '#data/connect.ts'
import { ensureIndexes } from '#data/indexes.ts'
import { buildAccounts, type Accounts } from '#server/build-accounts.ts'
import { InvitationInput } from '#contract/entities/invitation.ts'
import { systemOrigin } from '#server/features/audit/service.ts'
import { createUser, listUsers, openLibrary, resetPassword, resetTwoFactor, setRole, unlock } from './accounts.ts'
import { askOnTerminal } from './ask.ts'
import { openCliDatabase } from './database.ts'
import { withCommandName } from '../cli/command-name.ts'

const usage = `Usage: npm run awaz -- admin COMMAND

  list                                     lists accounts with role and state
  create EMAIL [--role user|admin|super_admin] [--username NAME] [--first-name NAME] [--last-name NAME]
                                           creates an account (default: a user); prints a password that must be changed
  invite EMAIL [--role user|admin|super_admin] [--days DAYS] [--first-name NAME] [--last-name NAME]
                                           mails an invitation and prints its link, which works for 7 days, or 1 to 30
  role EMAIL user|admin|super_admin        changes the role and ends the sessions
  reset-password EMAIL                     prints a new password that must be changed
  reset-2fa EMAIL                          turns two-factor off
  open-library EMAIL [--keep-address]      opens a library that an administrative reset closed; the account gets its former address back,
                                           or keeps the present one
  unlock EMAIL                             ends the lock after failed attempts

  --new                                    creates a database where DATA_DIR holds none; on a terminal you are asked`

const options = {
  username: { type: 'string' },
  'first-name': { type: 'string', default: '' },
  'last-name': { type: 'string', default: '' },
  role: { type: 'string', default: 'user' },
  days: { type: 'string' },
  'keep-address': { type: 'boolean', default: false },
  new: { type: 'boolean', default: false },
  help: { type: 'boolean' },
} as const

interface InviteOptions {
  firstName: string
  lastName: string
  role: string
  /** Undefined: the default. */
  days: string | undefined
}

const inviter = { id: null, email: 'command line', role: 'super_admin' as const }

/** `awaz admin ...`: manages accounts on the server's command line, for when no one can sign in. Every action is audited. */
export async function run(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options })
  const [command = 'help', email, value] = positionals
  const names = { username: values.username, firstName: values['first-name'], lastName: values['last-name'] }
  const known: Record<string, (accounts: Accounts) => Promise<void>> = {
    list: listUsers,
    create: (accounts) => createUser(accounts, parseEmail(email), { ...names, role: values.role }),
    invite: (accounts) => invite(accounts, parseEmail(email), { ...names, role: values.role, days: values.days }),
    role: (accounts) => setRole(accounts, parseEmail(email), value ?? ''),
    'reset-password': (accounts) => resetPassword(accounts, parseEmail(email)),
    'reset-2fa': (accounts) => resetTwoFactor(accounts, parseEmail(email)),
    'open-library': (accounts) => openLibrary(accounts, parseEmail(email), { keepsAddress: values['keep-address'] }),
    unlock: (accounts) => unlock(accounts, parseEmail(email)),
  }
  const action = Object.hasOwn(known, command) ? known[command] : undefined
  if (!action || values.help) {
    console.log(withCommandName(usage))
    return values.help || command === 'help' ? 0 : 1
  }
  if (command !== 'list') parseEmail(email)
  await withAccounts(action, { canCreate: values.new })
  return 0
}

async function withAccounts(
  action: (accounts: Accounts) => Promise<void>,
  { canCreate }: { canCreate: boolean },
): Promise<void> {
  const config = readConfig(process.env)
  const engine = await openCliDatabase(config, {
    canCreate,
    createHint: 'give --new to create one there',
    ask: askOnTerminal,
  })
  const database = await connectDatabase({ mongodbUri: engine.uri })
  const log = pino({ level: 'silent' })
  try {
    const accounts = await buildAccounts({ config, database, clock: systemClock, log, canMigrate: false })
    await ensureIndexes(database.connection)
    try {
      await action(accounts)
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

/** `awaz admin invite`: mails an invitation and prints its link, to be passed on by hand where no mail server is configured. */
async function invite({ invitations, mailer }: Accounts, email: string, options: InviteOptions): Promise<void> {
  const parsed = InvitationInput.safeParse({
    email,
    first_name: options.firstName,
    last_name: options.lastName,
    role: options.role,
    ...(options.days !== undefined && { days: Number(options.days) }),
  })
  if (!parsed.success) {
    const sentences = parsed.error.issues.map(({ path: [name], message }) => sentenceFor[String(name)] ?? message)
    throw new AppError('invalid_input', sentences.join('\n'))
  }
  const { role, days, first_name: firstName, last_name: lastName } = parsed.data
  const invitee = { email: parsed.data.email, firstName, lastName, role }
  const invitation = await invitations.create({ inviter, origin: systemOrigin }, invitee, days)
  const link = await invitations.mailQueue.mailLink(invitation)
  await mailer.sendDue()
  const duration = days === 1 ? 'one day' : `${days} days`
  console.log(`Invited ${email} (${role}). The link works for ${duration}, and once: ${link}`)
}

const sentenceFor: Record<string, string> = {
  role: 'There is no such role. Roles: user, admin, super_admin.',
  days: 'Days are a whole number from 1 to 30.',
}
