import { isUtf8 } from 'node:buffer'
import { cleanRecordingName } from '../recordings/name.ts'

export const doneFolder = Buffer.from('done')
export const failedFolder = Buffer.from('failed')
/** The file in a folder to which the folder's problem is written. */
export const problemFile = Buffer.from('awaz-problem.txt')
/** Placed next to the recordings it applies to; it also applies to subfolders that have no such file. */
export const settingsFile = Buffer.from('watch.json')

/** The limit of Linux file systems. */
const maxNameBytes = 255
/** Endings of files that programs rename once they are complete. */
const partialFile = /\.(part|partial|tmp|temp|crdownload|download|filepart)$|~$/i

/** A folder or file, as the names leading to it from the watched folder. */
export type PathComponents = readonly Buffer[]

/** Returns a key that is unique to a path, whatever the encoding of its names. */
export function keyOf(path: PathComponents): string {
  return path.map((name) => name.toString('latin1')).join('/')
}

/** Decodes a name for people; bytes that are not UTF-8 are shown as U+FFFD. */
export function decodeName(name: Buffer): string {
  return cleanRecordingName(name.toString('utf8'))
}

export function decodePath(path: PathComponents): string {
  return path.map(decodeName).join('/')
}

export function isDecodable(name: Buffer): boolean {
  return isUtf8(name)
}

/** Returns whether a file or folder is hidden, still being written, or was put there by Awaz itself. */
export function isIgnored(name: Buffer): boolean {
  const isOurs = [doneFolder, failedFolder, problemFile].some((own) => own.equals(name))
  return isOurs || name.toString('latin1').startsWith('.')
}

export function isPartial(name: Buffer): boolean {
  return partialFile.test(name.toString('latin1'))
}

/** Returns the name of the note that goes with a file. */
export function noteNameOf(name: Buffer): Buffer {
  return Buffer.concat([name, noteEnding])
}

const noteEnding = Buffer.from('.txt')

/**
 * Returns the name, or else "name (2).wav" and so on, shortened before its ending so that a file system accepts it, and the name of its
 * note if it has one.
 */
export function numberName(name: Buffer, count: number, { hasNote }: { hasNote: boolean }): Buffer {
  const at = name.lastIndexOf('.')
  const stem = at > 0 ? name.subarray(0, at) : name
  const ending = Buffer.concat([Buffer.from(count > 1 ? ` (${count})` : ''), name.subarray(stem.length)])
  const room = maxNameBytes - (hasNote ? noteEnding.length : 0) - ending.length
  // An ending of hundreds of letters is not an ending.
  if (room < 1)
    return numberName(Buffer.from(name.toString('latin1').replaceAll('.', '_'), 'latin1'), count, { hasNote })
  return Buffer.concat([cutText(stem, room), ending])
}

/** Cuts bytes to a length, but not within a UTF-8 character, which has at most four bytes. */
function cutText(text: Buffer, maxBytes: number): Buffer {
  if (text.length <= maxBytes) return text
  let length = maxBytes
  while (length > 1 && length > maxBytes - 4 && isContinuation(text[length])) length -= 1
  return text.subarray(0, length)
}

/** Returns whether a byte continues a UTF-8 character. */
function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80
}
