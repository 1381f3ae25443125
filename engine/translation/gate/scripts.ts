const parts: Record<string, string[]> = {
  Jpan: ['Hira', 'Kana', 'Han'],
  Kore: ['Hang', 'Han'],
  Hans: ['Han'],
  Hant: ['Han'],
}
/** Languages written in two alphabets. */
const twoAlphabets: Record<string, string[]> = {
  sr: ['Cyrl', 'Latn'],
  bs: ['Latn', 'Cyrl'],
  kk: ['Cyrl', 'Latn'],
  uz: ['Latn', 'Cyrl'],
  az: ['Latn', 'Cyrl'],
}

/** Returns the scripts in which a language is written, as ISO 15924 codes. */
export function scriptsOf(language: string): string[] {
  const two = twoAlphabets[language]
  if (two) return two
  const script = new Intl.Locale(language).maximize().script ?? 'Latn'
  return parts[script] ?? [script]
}

const patterns = new Map<string, RegExp>()

/** Whether every letter of a word belongs to one of the scripts. */
export function isWrittenIn(word: string, scripts: string[]): boolean {
  const key = scripts.join()
  const pattern =
    patterns.get(key) ?? new RegExp(`^(?:${scripts.map((script) => `\\p{scx=${script}}`).join('|')}|[^\\p{L}])*$`, 'u')
  patterns.set(key, pattern)
  return pattern.test(word)
}

/** Whether two languages share a script. */
export function shareScript(one: string, other: string): boolean {
  return scriptsOf(one).some((script) => scriptsOf(other).includes(script))
}
