import { greetingFor, type MailRecipient } from './greeting.ts'
import { layout, type RenderedMail } from './layout.ts'

/** Sent to the owner and the members, without the name of the case, which is content. */
export function caseMemberAddedMail(
  addressee: MailRecipient,
  { added, actor, url }: { added: string; actor: string; url: string },
): RenderedMail {
  return layout({
    subject: 'An administrator added somebody to your case',
    greeting: greetingFor(addressee),
    paragraphs: [`Added: ${added}. Done by: ${actor}. They can now read the recordings of the case.`],
    link: { label: 'Open the case', url },
    closing: 'If this is a surprise to you, please ask the owner of the case or a super administrator.',
  })
}
