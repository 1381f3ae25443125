import { t } from '#contract/texts/t.ts'
import { formatMoment } from './dates.ts'
import type { MailRecipient } from './greeting.ts'
import { mailTo, type MailTemplate } from './layout.ts'

/** Sent to the present address. */
export function addressChangeMail(
  addressee: MailRecipient,
  { email, effectiveAt, url }: { email: string; effectiveAt: Date; url: string },
): MailTemplate {
  return mailTo(addressee, () => ({
    subject: t('Your e-mail address is going to change'),
    paragraphs: [
      t(
        'An administrator is changing the e-mail address of your account to {email} at {moment}. From then on you will no longer receive e-mail at this address.',
        { email, moment: formatMoment(effectiveAt) },
      ),
      t(
        'If you know of this, nothing needs to be done. If you do not, keep your address by this link, or under Profile Settings.',
      ),
    ],
    link: { label: t('Keep my address'), url },
    closing: t('If this is a surprise to you, please tell a super administrator as well.'),
  }))
}

/** Sent to the previous address. */
export function emailChangedMail(addressee: MailRecipient, { email }: { email: string }): MailTemplate {
  return mailTo(addressee, () => ({
    subject: t('Your e-mail address was changed'),
    paragraphs: [
      t(
        'An administrator changed the e-mail address of your account to {email}. You no longer receive e-mail at this address.',
        { email },
      ),
    ],
    closing: t('If this is a surprise to you, please tell your administrator at once.'),
  }))
}
