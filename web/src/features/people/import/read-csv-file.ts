import { t } from '#contract/texts/t.ts'

/** Maximum length that the server accepts, in characters. */
export const maxCsvLength = 1_000_000

/**
 * Returns the text of a CSV file: UTF-8 with or without a byte order mark, UTF-16 with one, else windows-1252, which older
 * spreadsheets write. Throws an Error with a message for the user if the file is too large or contains no text.
 */
export async function readCsvFile(file: Blob): Promise<string> {
  // A character takes at most four bytes.
  if (file.size > 4 * maxCsvLength) throw new Error(t('The file must be at most 1 MB'))
  const text = decodeCsv(new Uint8Array(await file.arrayBuffer()))
  if (text.trim() === '') throw new Error(t('The file is empty'))
  if (text.length > maxCsvLength) throw new Error(t('The file must be at most 1 MB'))
  if (text.includes('\0')) throw new Error(t('This is no text. Please save the list as CSV first.'))
  return text
}

/** Decodes bytes by their byte order mark (Unicode 16, section 23.8), as UTF-8 if they are valid, else as windows-1252. */
export function decodeCsv(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
