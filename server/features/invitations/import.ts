import { randomUUID } from 'node:crypto'
import type { ImportRow } from '#contract/entities/invitation.ts'
import type { Clock } from '#data/clock.ts'
import type { InvitationMails } from '#data/invitations/invitation-mails.ts'
import type { InvitationRecord } from '#data/invitations/invitation-record.ts'
import type { InvitationRepository } from '#data/invitations/invitations.ts'
import type { UserAddresses } from '#data/users/user-addresses.ts'
import { invalidInput } from '#server/http/parse.ts'
import type { Audit } from '../audit/service.ts'
import type { InvitationMailQueue } from './mail-queue.ts'
import { newInvitation, type Invitee } from './new-invitation.ts'
import { recordAction } from './record-action.ts'
import { parsePeople } from './parse-people.ts'
import { canInvite, type Inviter, type InviterContext } from './policy.ts'

interface ImportDeps {
  invitations: Pick<InvitationRepository, 'insert' | 'findInvited'>
  addresses: Pick<UserAddresses, 'findTaken'>
  mails: Pick<InvitationMails, 'completeImport'>
  mailQueue: Pick<InvitationMailQueue, 'start'>
  audit: Pick<Audit, 'record'>
  clock: Clock
  settle: () => Promise<void>
  assertInvitationsOpen: () => Promise<void>
  describeInviter: (inviter: Inviter) => Promise<Pick<InvitationRecord, 'inviterId' | 'inviterName'>>
}

/** Invites many people from a CSV file: all of them, or none. */
export function createImport(deps: ImportDeps) {
  const { invitations, addresses, mails, mailQueue, audit, clock } = deps

  /**
   * Returns the rows of a file, each with its errors, and the invitees of the valid ones. Throws `registration_closed`, or `invalid_input`
   * if the file as a whole cannot be read.
   */
  async function preview(inviter: Inviter, csv: string): Promise<{ rows: ImportRow[]; invitees: Invitee[] }> {
    await deps.assertInvitationsOpen()
    const people = parsePeople(csv)
    await deps.settle()
    const emails = people.flatMap(({ invitee }) => invitee?.email ?? [])
    const [taken, invited] = await Promise.all([
      addresses.findTaken(emails),
      invitations.findInvited(emails, new Date(clock.now())),
    ])
    for (const { row, invitee } of people) {
      if (!invitee) continue
      if (!canInvite(inviter.role, invitee.role)) row.errors.push('Only a super admin may invite super admins')
      if (taken.has(invitee.email)) row.errors.push('There is an account with this address')
      if (invited.has(invitee.email)) row.errors.push('This address has a pending invitation')
    }
    const good = people.filter(({ row }) => row.errors.length === 0)
    return { rows: people.map(({ row }) => row), invitees: good.flatMap(({ invitee }) => invitee ?? []) }
  }

  /** Invites everybody in a file. Throws `invalid_input` naming the bad lines, in which case nobody is invited. */
  async function importAll({ inviter, origin }: InviterContext, csv: string, days: number): Promise<number> {
    const { rows, invitees } = await preview(inviter, csv)
    const errors = rows.flatMap(({ line, errors: sentences }) => sentences.map((text) => `Line ${line}: ${text}`))
    if (errors.length > 0) throw invalidInput(errors, 'csv')
    const now = clock.now()
    const batchId = randomUUID()
    const fixed = { ...(await deps.describeInviter(inviter)), days, status: 'staged' as const }
    const added = invitees.map((invitee) => ({ ...newInvitation(invitee, now, fixed), batchId }))
    const [first] = added
    if (!first || !(await invitations.insert(added, new Date(now)))) {
      throw invalidInput(['Somebody invited one of these people just now. Please check the file again.'], 'csv')
    }
    await mails.completeImport(batchId, first.id, new Date(now))
    mailQueue.start()
    await recordAction(audit, { inviter, origin }, { action: 'import', details: describe(added) })
    return added.length
  }

  return { preview, importAll }
}

/** Describes how many people there are, and how many of them get rights over others. */
function describe(people: Pick<Invitee, 'role'>[]): string {
  const counts = (['admin', 'super_admin'] as const).map(
    (role) => [role, people.filter((person) => person.role === role).length] as const,
  )
  const entitled = counts.filter(([, count]) => count > 0).map(([role, count]) => `${count} as ${role}`)
  return [`${people.length} people`, ...entitled].join(', ')
}
