import { AppError } from '#contract/app-error.ts'
import { InvitationInput } from '#contract/entities/invitation.ts'
import { systemOrigin } from '#server/features/audit/service.ts'
import type { Accounts } from '#server/build-accounts.ts'

interface InviteOptions {
  firstName: string
  lastName: string
  role: string
  /** Undefined: the default. */
  days: string | undefined
}

const inviter = { id: null, email: 'command line', role: 'super_admin' as const }

/** `awaz admin invite`: mails an invitation and prints its link, to be handed over where no mail server is set. */
export async function invite({ invitations, mailer }: Accounts, email: string, options: InviteOptions): Promise<void> {
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
