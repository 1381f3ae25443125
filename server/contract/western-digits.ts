const easternDigit = /[٠-٩۰-۹]/gu

/** Returns a text with the digits 0 to 9 in place of Arabic-Indic and Persian digits, which keyboards for these languages produce. */
export function westernDigits(text: string): string {
  return text.replace(easternDigit, (digit) => String((digit.codePointAt(0) ?? 0) & 0xf))
}
