const easternDigit = /[٠-٩۰-۹]/gu

/** Returns a text with digits 0 to 9 in place of Arabic-Indic and Persian ones, which keyboards of these languages type. */
export function westernDigits(text: string): string {
  return text.replace(easternDigit, (digit) => String((digit.codePointAt(0) ?? 0) & 0xf))
}
