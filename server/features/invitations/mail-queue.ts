import type { Clock } from '#data/clock.ts'
import type { InvitationMails } from '#data/invitations/invitation-mails.ts'
import type { InvitationRecord } from '#data/invitations/invitation-record.ts'
import { msUntil } from '#data/repeat.ts'
import { hashToken, randomToken } from '#server/security/opaque-tokens.ts'
import type { Mailer } from '../mail/mailer.ts'
import { invitationMail } from '../mail/templates/invitation-mail.ts'
import type { Users } from '../users/service.ts'

/** A server that has not mailed an invitation within this time is presumed dead. */
export const mailLeaseMs = 60_000

interface MailQueueDeps {
  mails: InvitationMails
  users: Pick<Users, 'findById'>
  mailer: Pick<Mailer, 'enqueue' | 'store' | 'sendDue'>
  clock: Clock
  publicUrl: string
}

/** Mails the links of invitations, one after another. Only the mail contains the link; the database holds its hash. */
export function createInvitationMailQueue({ mails, users, mailer, clock, publicUrl }: MailQueueDeps) {
  const inMs = (delayMs: number) => new Date(clock.now() + delayMs)

  /**
   * Stores the mail with a new link; `mailer.sendDue` delivers it. Returns the link, or undefined if the invitation has ended in the
   * meantime.
   */
  async function mailLink(invitation: InvitationRecord): Promise<string | undefined> {
    const { id, email, inviterId, expiresAt } = invitation
    const token = randomToken()
    const tokenHash = hashToken(token)
    if (!(await mails.setToken(id, tokenHash, inMs(0)))) return undefined
    const inviter = inviterId === null ? undefined : await users.findById(inviterId)
    const url = `${publicUrl}/invitation?token=${token}`
    await mailer.store({
      ...invitationMail({ ...invitation, language: inviter?.language, url }),
      to: email,
      userId: id,
      purpose: 'invitation',
      expiresAt,
    })
    await mails.recordMailed(id, tokenHash)
    return url
  }

  /** Mails what is due: imports, and what a crashed server left behind. */
  async function sendDue(): Promise<void> {
    await mails.settleImports(inMs(-mailLeaseMs), inMs(0))
    for (let next = await claim(); next; next = await claim()) await mailLink(next)
  }

  /** Returns the milliseconds until `sendDue` has something to do; Infinity if nothing is waiting. */
  async function dueInMs(): Promise<number> {
    const { mailDueAt, stagedAt } = await mails.readNext(inMs(0))
    return Math.min(msUntil(mailDueAt, clock.now()), msUntil(stagedAt, clock.now()) + mailLeaseMs)
  }

  function claim(): Promise<InvitationRecord | undefined> {
    return mails.claim(inMs(0), inMs(mailLeaseMs))
  }

  /** Mails in the background and delivers at once: one invitation, or all those that are due. */
  function start(invitation?: InvitationRecord): void {
    mailer.enqueue(async () => {
      await (invitation ? mailLink(invitation) : sendDue())
      await mailer.sendDue()
      return undefined
    })
  }

  return { mailLink, sendDue, dueInMs, start }
}

export type InvitationMailQueue = ReturnType<typeof createInvitationMailQueue>
