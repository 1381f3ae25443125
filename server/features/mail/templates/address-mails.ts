import { greetingFor, type MailRecipient } from './greeting.ts'
import { layout, type RenderedMail } from './layout.ts'

/** Sent to the present address. */
export function addressChangeMail(
  addressee: MailRecipient,
  { email, effectiveAt, url }: { email: string; effectiveAt: Date; url: string },
): RenderedMail {
  return layout({
    subject: 'Your e-mail address is going to change',
    greeting: greetingFor(addressee),
    paragraphs: [
      `An administrator is changing the e-mail address of your account to ${email} at ${formatMoment(effectiveAt)}. From then on you will no longer receive e-mail at this address.`,
      'If you know of this, nothing needs to be done. If you do not, keep your address by this link, or under Profile Settings.',
    ],
    link: { label: 'Keep my address', url },
    closing: 'If this is a surprise to you, please tell a super administrator as well.',
  })
}

function formatMoment(at: Date): string {
  return `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

/** Sent to the previous address. */
export function emailChangedMail(addressee: MailRecipient, { email }: { email: string }): RenderedMail {
  return layout({
    subject: 'Your e-mail address was changed',
    greeting: greetingFor(addressee),
    paragraphs: [
      `An administrator changed the e-mail address of your account to ${email}. You no longer receive e-mail at this address.`,
    ],
    closing: 'If this is a surprise to you, please tell your administrator at once.',
  })
}
