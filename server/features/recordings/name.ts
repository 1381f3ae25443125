/** Control characters, line and paragraph separators, and what overrides the direction of letters (Unicode Technical Report 36). */
const unseemly = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu

/**
 * A recording's name as lists may show it: without line breaks, and without the marks that let `wav.exe` read as something else.
 * Joiners stay, for Persian and Pashto are written with them.
 */
export function cleanRecordingName(name: string): string {
  return name.replace(unseemly, '').normalize('NFC').trim()
}
