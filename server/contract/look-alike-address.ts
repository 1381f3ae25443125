import { latinByLookAlike } from './look-alikes.ts'

const latinLetters: ReadonlyMap<string, string> = new Map(Object.entries(latinByLookAlike))

/**
 * Returns whether a person would take an address for another one in Latin letters: its domain looks like a Latin one, or the part before
 * the @ does and the domain is Latin. `роса@пример.рф` shows by its domain that it is Cyrillic.
 *
 * @param address in lowercase
 */
export function isLookAlikeAddress(address: string): boolean {
  const at = address.lastIndexOf('@')
  const [local, domain] = [address.slice(0, at), address.slice(at + 1)].map((part) => part.normalize('NFKC'))
  if (local === undefined || domain === undefined) return false
  if (looksLatin(domain)) return true
  return isLatin(domain) && looksLatin(local)
}

function looksLatin(part: string): boolean {
  return !isLatin(part) && isLatin([...part].map((letter) => latinLetters.get(letter) ?? letter).join(''))
}

/** Only ASCII, as nearly all addresses are. */
function isLatin(part: string): boolean {
  return /^[ -~]*$/.test(part)
}
