import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

const catalog = join(import.meta.dirname, '../../server/contract/texts/fa.json')
/** Stands in place of a value, which may be a name. */
const mask = '…'

/**
 * Returns a function that returns the product's own words of a sentence: as it is where it is one of the texts of the interface, with values masked where
 * it is one that holds values, and null for any other, which may name files or people.
 */
export async function readOwnSentences(): Promise<(sentence: string) => string | null> {
  const texts = Object.keys(JSON.parse(await readFile(catalog, 'utf8')) as object) // an object of texts
  const exact = new Set(texts)
  const patterns = texts.filter((text) => /\{\d+\}/.test(text)).map(toPattern)
  return (sentence) => {
    if (exact.has(sentence)) return sentence
    for (const { matches, parts } of patterns) {
      const found = matches.exec(sentence)
      if (found) return fill(parts, found.slice(1))
    }
    return null
  }
}

/** Numbers are kept. */
function fill(parts: readonly string[], values: readonly string[]): string {
  const shown = values.map((value) => (/^[\d.,:]+$/.test(value) ? value : mask))
  return parts.map((part, index) => part + (shown[index] ?? '')).join('')
}

function toPattern(text: string): { matches: RegExp; parts: string[] } {
  const parts = text.split(/\{\d+\}/)
  const source = parts.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)).join('(.+)')
  return { matches: new RegExp(`^${source}$`, 's'), parts }
}
