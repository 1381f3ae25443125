/** Control characters, line and paragraph separators, and characters that override the text direction (Unicode Technical Report 36). */
const unprintable = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu

/**
 * Cleans a recording's name for display: removes line breaks, and the marks that make `wav.exe` read as something else. Joiners stay,
 * because written Persian and Pashto need them.
 */
export function cleanRecordingName(name: string): string {
  return name.replace(unprintable, '').normalize('NFC').trim()
}
