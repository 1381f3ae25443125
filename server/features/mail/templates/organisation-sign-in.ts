import { t } from '#contract/texts/t.ts'
import type { MailRecipient } from './greeting.ts'
import { mailTo, type MailTemplate } from './layout.ts'

/** Sent instead of a reset code to people without a password here. */
export function organisationSignInMail(addressee: MailRecipient, { url }: { url: string }): MailTemplate {
  return mailTo(addressee, () => ({
    subject: t('Please sign in through your organisation'),
    paragraphs: [
      t(
        'Somebody asked to reset the password of your account. It has none: you sign in with the account of your organisation.',
      ),
      t('If you forgot that password, please ask the people who look after the accounts of your organisation.'),
    ],
    link: { label: t('Sign in'), url },
    closing: t('If you did not ask for this, you can ignore this mail.'),
  }))
}
