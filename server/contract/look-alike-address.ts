/**
 * Small letters that cannot be told from a Latin one (confusables.txt of Unicode UTS 39; addresses are compared in small letters). Letters
 * that only resemble one, such as the Cyrillic к, н, т and г, are left out: with them nearly every Cyrillic name would be refused.
 */
const latinByLookAlike: ReadonlyMap<string, string> = new Map(
  Object.entries({
    // Cyrillic
    а: 'a',
    с: 'c',
    ԁ: 'd',
    е: 'e',
    һ: 'h',
    і: 'i',
    ј: 'j',
    ӏ: 'l',
    о: 'o',
    р: 'p',
    ԛ: 'q',
    ѕ: 's',
    ѵ: 'v',
    ԝ: 'w',
    х: 'x',
    у: 'y',
    // Greek
    α: 'a',
    γ: 'y',
    ι: 'i',
    ν: 'v',
    ο: 'o',
    ρ: 'p',
    υ: 'u',
    ϲ: 'c',
    // Armenian
    օ: 'o',
    ս: 'u',
    հ: 'h',
    ո: 'n',
    ց: 'g',
    զ: 'q',
    յ: 'j',
    // Latin
    ı: 'i',
    ɩ: 'i',
    ɑ: 'a',
    ɡ: 'g',
    ƅ: 'b',
  }),
)

/**
 * Returns whether a person would take an address for another one in Latin letters: its domain looks like a Latin one, or the part before
 * the @ does and the domain is Latin. `роса@пример.рф` shows by its domain that it is Cyrillic.
 *
 * @param address in small letters
 */
export function isLookAlikeAddress(address: string): boolean {
  const at = address.lastIndexOf('@')
  const [local, domain] = [address.slice(0, at), address.slice(at + 1)].map((part) => part.normalize('NFKC'))
  if (local === undefined || domain === undefined) return false
  if (looksLatin(domain)) return true
  return isLatin(domain) && looksLatin(local)
}

function looksLatin(part: string): boolean {
  return !isLatin(part) && isLatin([...part].map((letter) => latinByLookAlike.get(letter) ?? letter).join(''))
}

/** Of ASCII alone, as nearly all addresses are. */
function isLatin(part: string): boolean {
  return /^[ -~]*$/.test(part)
}
