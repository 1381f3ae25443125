import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { compileText, textKey, type CompiledText } from '#contract/texts/compile-text.ts'
import type { LoadedTexts } from '#contract/texts/t.ts'

type Nodes = string | number | object | Nodes[]

/**
 * Returns a language that has every text of the interface in letters that are not ASCII, for tests: what stands in ASCII letters then, other than
 * data, was not translated. It runs as Persian does.
 */
export async function loadPseudoLanguage(): Promise<LoadedTexts> {
  const texts = (await listEnglishTexts()).map((text) => [
    textKey(compileText(text)),
    disguise(compileText(text) as Nodes),
  ])
  return { language: 'fa', texts: Object.fromEntries(texts) as Record<string, CompiledText> }
}

/** Returns every text of the interface and every sentence of the server, in English as the code has it. */
export async function listEnglishTexts(): Promise<string[]> {
  const file = join(import.meta.dirname, '../server/contract/texts/fa.json')
  return Object.keys(JSON.parse(await readFile(file, 'utf8')) as Record<string, string>)
}

/** Returns the words of a text that are in ASCII letters, outside addresses and names that are the same in every language. */
export function englishWords(text: string): string[] {
  const own = text.replaceAll(/https?:\/\/\S+|\S+@\S+|<[^>]*>|\b(?:Awaz|UTC|SHA)\b/g, ' ')
  return own.match(/[A-Za-z]{2,}/g) ?? []
}

/** Words between the values of a compiled text; values, tags and the names of plural forms stay (see icu-minify). */
function disguise(nodes: Nodes): Nodes {
  if (typeof nodes === 'string') return toWide(nodes)
  if (!Array.isArray(nodes)) return nodes
  return nodes.map((node) => (Array.isArray(node) ? disguisePart(node) : disguise(node)))
}

function disguisePart([name = '', kind, ...rest]: Nodes[]): Nodes {
  if (kind === undefined) return [name]
  if (typeof kind !== 'number') return [name, ...(disguise([kind, ...rest]) as Nodes[])]
  const [branches] = rest
  const hasBranches = kind !== 4 && typeof branches === 'object' && !Array.isArray(branches)
  if (!hasBranches) return [name, kind, ...rest]
  const entries = Object.entries(branches as Record<string, Nodes>).map(([key, branch]) => [key, disguise(branch)])
  return [name, kind, Object.fromEntries(entries) as object]
}

/** Latin letters as wide ones: `Ａｗａｚ`. */
function toWide(text: string): string {
  return text.replaceAll(/[A-Za-z]/g, (letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0))
}
