import { westernDigits } from '#contract/western-digits.ts'

/** Returns the header with a typed code of the second factor, in Western digits: headers cannot contain Persian ones. */
export function twoFactorCodeHeader(code: string): Record<string, string> {
  return { 'X-TOTP-Token': westernDigits(code.trim()) }
}
