import type { InstanceWarning } from '#contract/entities/instance-state.ts'
import { greetingFor, type MailRecipient } from './greeting.ts'
import { layout, type RenderedMail } from './layout.ts'

/** Sent to each super admin. */
export function instanceWarningMail(
  addressee: MailRecipient,
  { warnings, url }: { warnings: InstanceWarning[]; url: string },
): RenderedMail {
  const [first] = warnings
  const isSingle = warnings.length === 1
  return layout({
    subject: isSingle && first ? first.title : `${warnings.length} things of Awaz need attention`,
    greeting: greetingFor(addressee),
    paragraphs: warnings.map(({ title, remedy }) => `${title}. ${remedy}`),
    link: { label: 'Open the page System', url },
    closing: 'Each is told once. The page shows what lasts.',
  })
}
