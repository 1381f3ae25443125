import { isolateName } from '#contract/isolated-name.ts'
import { t } from '#contract/texts/t.ts'
import { formatDay } from './dates.ts'
import { mailTo, type MailTemplate } from './layout.ts'

interface InvitationText {
  firstName: string
  inviterName: string
  /** The inviter's: the invited person's language is not known yet. */
  language?: string | undefined
  days: number
  expiresAt: Date
  url: string
}

export function invitationMail(invitation: InvitationText): MailTemplate {
  const { firstName, inviterName, language, days, expiresAt, url } = invitation
  return mailTo({ firstName, username: '', language }, () => ({
    subject: t('You are invited to Awaz'),
    paragraphs: [
      t(
        '{inviter} invites you to Awaz. Open the link to choose your username and password and to set up two-factor authentication.',
        { inviter: isolateName(inviterName) },
      ),
      t(
        'The link works for {days, plural, one {one day} other {# days}}, until {day}, and once. It is for you alone: please do not pass it on.',
        { days, day: formatDay(expiresAt) },
      ),
    ],
    link: { label: t('Accept the invitation'), url },
    closing: t('If you did not expect this, you can ignore this mail; no account is created.'),
  }))
}
