/** Control characters, line and paragraph separators, and what overrides the direction of letters (Unicode Technical Report 36). */
const unprintable = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu

/**
 * Cleans a recording's name for display: without line breaks, and without the marks that make `wav.exe` read as something else.
 * Joiners stay, because Persian and Pashto are written with them.
 */
export function cleanRecordingName(name: string): string {
  return name.replace(unprintable, '').normalize('NFC').trim()
}
