import { t } from '#contract/texts/t.ts'
import type { MailRecipient } from './greeting.ts'
import { mailTo, type MailTemplate } from './layout.ts'

/** Sent to the owner and the members, without the name of the case, because that is content. */
export function caseMemberAddedMail(
  addressee: MailRecipient,
  { added, actor, url }: { added: string; actor: string; url: string },
): MailTemplate {
  return mailTo(addressee, () => ({
    subject: t('An administrator added somebody to your case'),
    paragraphs: [
      t('Added: {added}. Done by: {actor}. They can now read the recordings of the case.', { added, actor }),
    ],
    link: { label: t('Open the case'), url },
    closing: t('If this is a surprise to you, please ask the owner of the case or a super administrator.'),
  }))
}
