import { isolateName } from '#contract/isolated-name.ts'
import { t } from '#contract/texts/t.ts'

/** The person a mail is addressed to. */
export interface MailRecipient {
  firstName: string
  username: string
  /** See UserDocument. English if missing. */
  language?: string | undefined
}

/** Letters and the characters that separate them in names; nothing that a mail program turns into a link. */
const nameShape = /^[\p{L}\p{M}\p{N}_ '’.\p{Join_Control}-]{1,60}$/u
const linkShape = /\S\.\S/

/**
 * Returns the first line of a mail. Leaves out a name that could carry a message, because the person who registers chooses both name and
 * address.
 */
export function greetingFor({ firstName, username }: MailRecipient): string {
  const name = [firstName, username].find((candidate) => nameShape.test(candidate) && !linkShape.test(candidate))
  return name ? t('Hello {name},', { name: isolateName(name) }) : t('Hello,')
}
