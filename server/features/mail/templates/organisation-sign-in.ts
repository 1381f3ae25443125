import { greetingFor, type MailRecipient } from './greeting.ts'
import { layout, type RenderedMail } from './layout.ts'

/** Sent instead of a reset code to people who have no password here. */
export function organisationSignInMail(addressee: MailRecipient, { url }: { url: string }): RenderedMail {
  return layout({
    subject: 'Please sign in through your organisation',
    greeting: greetingFor(addressee),
    paragraphs: [
      'Somebody asked to reset the password of your account. It has none: you sign in with the account of your organisation.',
      'If you forgot that password, please ask the people who look after the accounts of your organisation.',
    ],
    link: { label: 'Sign in', url },
    closing: 'If you did not ask for this, you can ignore this mail.',
  })
}
