import { TextInput, type TextInputProps } from '@mantine/core'
import type { User } from '#contract/entities/user.ts'
import { authenticatorCodeShape, printedCodeShape } from '#contract/second-factor.ts'
import { t } from '#contract/texts/t.ts'
import { westernDigits } from '#contract/western-digits.ts'
import { useUser } from '../session/session.ts'

const fields = {
  authenticator: {
    label: t('Authenticator code'),
    inputMode: 'numeric',
    autoComplete: 'one-time-code',
    maxLength: 6,
    placeholder: '000000',
  },
  printed: {
    label: t('A code from your printed list'),
    autoComplete: 'off',
    spellCheck: false,
    dir: 'ltr',
    maxLength: 8,
  },
} satisfies Record<string, TextInputProps>

/** Returns whether a text looks like a code of the user's second factor. */
export function isOwnCode(user: Pick<User, 'printed_codes_left'>, text: string): boolean {
  return (user.printed_codes_left === null ? authenticatorCodeShape : printedCodeShape).test(westernDigits(text.trim()))
}

/** Returns the message for a missing code. */
export function blankCodeMessage({ printed_codes_left: printedLeft }: Pick<User, 'printed_codes_left'>): string {
  return printedLeft === null
    ? t('Please enter your authenticator code')
    : t('Please enter a code from your printed list')
}

/** A field for a code of a signed-in user's second factor: six digits, or a code from their list. */
export function SecondFactorCodeField(props: TextInputProps) {
  const { printed_codes_left: printedLeft } = useUser()
  return <TextInput {...(printedLeft === null ? fields.authenticator : fields.printed)} {...props} />
}
