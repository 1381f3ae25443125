import type { InstanceWarning } from '#contract/entities/instance-state.ts'
import { t } from '#contract/texts/t.ts'
import { translateSentence } from '#contract/texts/translate-sentence.ts'
import type { MailRecipient } from './greeting.ts'
import { mailTo, type MailTemplate } from './layout.ts'

/** Sent to each super admin. */
export function instanceWarningMail(
  addressee: MailRecipient,
  { warnings, url }: { warnings: Pick<InstanceWarning, 'title' | 'remedy'>[]; url: string },
): MailTemplate {
  const [first] = warnings
  const isSingle = warnings.length === 1
  return mailTo(addressee, () => ({
    subject:
      isSingle && first
        ? translateSentence(first.title)
        : t('{count, plural, other {# things of Awaz need attention}}', { count: warnings.length }),
    paragraphs: warnings.map(({ title, remedy }) =>
      // Passed as a value, so that each language sets its own full stop.
      t('{problem}. {remedy}', { problem: translateSentence(title), remedy: translateSentence(remedy) }),
    ),
    link: { label: t('Open the page System'), url },
    closing: t('Each is told once. The page shows what lasts.'),
  }))
}
