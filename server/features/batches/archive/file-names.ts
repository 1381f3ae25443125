/** Characters that file systems forbid in names or interpret differently; Windows forbids the most. */
const forbidden = /[\p{Cc}<>:"/\\|?*\u2028\u2029]/gu
/** Marks that change the direction of text and can make `gpj.exe` read as a picture. Joiners stay: written Persian needs them. */
const directionMarks = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu
/** Names of devices on Windows, reserved even when a dot and anything else follows. */
const reserved = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i
/** File systems allow 255 bytes; the rest is left for a number, a language and an extension. */
const maxBytes = 180

/** Returns a name that every file system accepts: without an extension, in NFC, at most 180 bytes. */
export function safeFileName(name: string): string {
  const clean = name
    .toWellFormed()
    .normalize('NFC')
    .replace(directionMarks, '')
    .replace(forbidden, '_')
    .replace(/\.[^.]{1,10}$/, '')
  const bare = truncate(clean).replace(/^[\s.]+|[\s.]+$/g, '')
  if (bare === '') return 'recording'
  return reserved.test(bare) ? `_${bare}` : bare
}

function truncate(text: string): string {
  let bytes = 0
  let kept = ''
  for (const character of text) {
    bytes += Buffer.byteLength(character)
    if (bytes > maxBytes) break
    kept += character
  }
  return kept
}

/** Adds an ending to each name, and a number to the name if one of the results is already taken. */
export type UniqueNames = (name: string, endings: string[]) => string[]

/** Creates unique names for the files of a folder. Names that differ only in letter case count as the same. */
export function createUniqueNames(): UniqueNames {
  const used = new Set<string>()
  const lastNumbers = new Map<string, number>()
  return function toUnique(name, endings) {
    const key = name.toLowerCase()
    for (let number = lastNumbers.get(key) ?? 1; ; number += 1) {
      const names = endings.map((ending) => `${name}${number > 1 ? ` (${number})` : ''}.${ending}`)
      if (names.some((taken) => used.has(taken.toLowerCase()))) continue
      for (const taken of names) used.add(taken.toLowerCase())
      lastNumbers.set(key, number)
      return names
    }
  }
}
