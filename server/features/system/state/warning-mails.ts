import type { InstanceWarning } from '#contract/entities/instance-state.ts'
import type { Clock } from '#data/clock.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { createLease } from '#data/system/lease.ts'
import { createSystemFactRepository } from '#data/system/system-facts.ts'
import { z } from 'zod'
import { createNotice } from '../../mail/mail.ts'
import type { Mailer } from '../../mail/mailer.ts'
import { instanceWarningMail } from '../../mail/templates/warning-mails.ts'
import type { Users } from '../../users/service.ts'

/** An InstanceWarning, or a finding of the checks with the code they use. */
export type MailedWarning = Omit<InstanceWarning, 'code'> & { code: string }

interface WarningMailsDeps {
  connection: DatabaseConnection
  readWarnings: () => Promise<MailedWarning[]>
  users: Pick<Users, 'list'>
  mailer: Pick<Mailer, 'enqueue'>
  clock: Clock
  publicUrl: string
  /** Without a mail server, a notice would wait in the outbox, where nobody looks for it. */
  hasMailServer: boolean
}

/** When each mailed warning was last seen, by code. */
const Told = z.record(z.string(), z.number())
type Told = z.infer<typeof Told>

const factName = 'told_warnings'
const leaseMs = 60_000
/** A warning that ends and returns within this time is not mailed again. */
const quietMs = 24 * 3_600_000
const maxTold = 50

/** Mails super admins once about each new warning that two checks in a row have found, no matter which server finds it. */
export function createWarningMails(deps: WarningMailsDeps) {
  const { connection, clock } = deps
  const facts = createSystemFactRepository(connection)
  const lease = createLease(connection, { name: 'warning_mails', leaseMs })
  const holder = crypto.randomUUID()
  let seenBefore = new Set<string>()

  async function readTold(): Promise<Told> {
    return Told.parse(JSON.parse((await facts.find(factName)) ?? '{}'))
  }

  async function send(warnings: MailedWarning[]): Promise<void> {
    const { rows } = await deps.users.list({ search: '', role: 'super_admin' }, { page: 1, per_page: maxTold })
    for (const user of rows) {
      if (!user.isActive || user.notifications?.email === false) continue
      const mail = instanceWarningMail(user, { warnings, url: `${deps.publicUrl}/admin/system` })
      deps.mailer.enqueue(async () => createNotice(mail, user, clock))
    }
  }

  /** Checks, and sends what is new. Writes only if something has changed. */
  async function sendDue(): Promise<void> {
    if (!deps.hasMailServer) return
    // Failing mail cannot be reported by mail.
    const warnings = (await deps.readWarnings()).filter(({ code }) => code !== 'mail_fails')
    const lasting = warnings.filter(({ code }) => seenBefore.has(code))
    seenBefore = new Set(warnings.map(({ code }) => code))
    if (!hasChanged(await readTold(), lasting, clock.now())) return
    if (!(await lease.acquire(holder))) return
    try {
      const told = await readTold()
      const fresh = lasting.filter(({ code }) => told[code] === undefined)
      if (fresh.length > 0) await send(fresh)
      await facts.set(factName, JSON.stringify(nextTold(told, lasting, clock.now())))
    } finally {
      await lease.release(holder)
    }
  }

  return { sendDue }
}

function hasChanged(told: Told, lasting: MailedWarning[], now: number): boolean {
  return JSON.stringify(nextTold(told, lasting, now)) !== JSON.stringify(told)
}

/** Adds new warnings, and forgets those that ended a day ago. The time of a lasting warning is refreshed once a day. */
function nextTold(told: Told, lasting: MailedWarning[], now: number): Told {
  const next = { ...told }
  for (const { code } of lasting) {
    const seenAt = next[code]
    if (seenAt === undefined || now - seenAt > quietMs / 2) next[code] = now
  }
  const isKept = ([, seenAt]: [string, number]) => now - seenAt <= quietMs
  return Object.fromEntries(Object.entries(next).filter(isKept))
}
