import { isolateName } from '#contract/isolated-name.ts'
import { greetingFor } from './greeting.ts'
import { layout, type RenderedMail } from './layout.ts'

interface InvitationText {
  firstName: string
  inviterName: string
  days: number
  expiresAt: Date
  url: string
}

export function invitationMail({ firstName, inviterName, days, expiresAt, url }: InvitationText): RenderedMail {
  const duration = days === 1 ? 'one day' : `${days} days`
  return layout({
    subject: 'You are invited to Awaz',
    greeting: greetingFor({ firstName, username: '' }),
    paragraphs: [
      `${isolateName(inviterName)} invites you to Awaz. Open the link to choose your username and password and to set up two-factor authentication.`,
      `The link works for ${duration}, until ${expiresAt.toISOString().slice(0, 10)}, and once. It is for you alone: please do not pass it on.`,
    ],
    link: { label: 'Accept the invitation', url },
    closing: 'If you did not expect this, you can ignore this mail; no account is created.',
  })
}
