import { westernDigits } from '#contract/western-digits.ts'

/** Returns the header with a code of the second factor as somebody typed it: headers have no Persian digits. */
export function twoFactorCodeHeader(code: string): Record<string, string> {
  return { 'X-TOTP-Token': westernDigits(code.trim()) }
}
