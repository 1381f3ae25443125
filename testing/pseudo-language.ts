import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { compileText, textKey, type CompiledText } from '#contract/texts/compile-text.ts'
import type { LoadedTexts } from '#contract/texts/t.ts'

type Nodes = string | number | object | Nodes[]

/**
 * Returns a language that has every text of the interface in non-ASCII letters, for tests: apart from data, whatever still appears in ASCII
 * letters was not translated. It poses as Persian.
 */
export async function loadPseudoLanguage(): Promise<LoadedTexts> {
  return { language: 'fa', texts: await changeTexts(toWide) }
}

/**
 * Returns English in which a zero-width space follows each word, for tests of pages as English readers see them: apart from data, a word
 * without it was not translated (see `unmarkedWords`). Browsers draw nothing for it, and Playwright ignores it in names and texts.
 */
export async function loadMarkedEnglish(): Promise<LoadedTexts> {
  return { language: 'en', texts: await changeTexts((text) => text.replaceAll(/[A-Za-z]+/g, `$&${wordMark}`)) }
}

const wordMark = '\u200B'

/** Returns the words of three or more letters that do not come from a text of `loadMarkedEnglish`. */
export function unmarkedWords(text: string): string[] {
  return text.match(/[A-Za-z]{3,}(?![A-Za-z\u200B])/g) ?? []
}

async function changeTexts(change: (words: string) => string): Promise<Record<string, CompiledText>> {
  const texts = (await listEnglishTexts()).map((text) => {
    const compiled = compileText(withoutContext(text))
    return [textKey(compileText(text)), changeWords(compiled as Nodes, change)]
  })
  return Object.fromEntries(texts) as Record<string, CompiledText>
}

/** `Open|registration` is shown as `Open`. */
export function withoutContext(text: string): string {
  return /[{<]/.test(text) ? text : (text.split('|', 1)[0] ?? text)
}

/** Returns every text of the interface and every sentence of the server, in English as written in the code. */
export async function listEnglishTexts(): Promise<string[]> {
  const file = join(import.meta.dirname, '../server/contract/texts/fa.json')
  return Object.keys(JSON.parse(await readFile(file, 'utf8')) as Record<string, string>)
}

/** Returns the words of a text in ASCII letters, except for addresses and names that are the same in every language. */
export function englishWords(text: string): string[] {
  const own = text.replaceAll(/https?:\/\/\S+|\S+@\S+|<[^>]*>|\b(?:Awaz|UTC|SHA)\b/g, ' ')
  return own.match(/[A-Za-z]{2,}/g) ?? []
}

/** Changes the words between the values of a compiled text; values, tags and names of plural forms stay unchanged (see icu-minify). */
function changeWords(nodes: Nodes, change: (words: string) => string): Nodes {
  if (typeof nodes === 'string') return change(nodes)
  if (!Array.isArray(nodes)) return nodes
  return nodes.map((node) => (Array.isArray(node) ? changePart(node, change) : changeWords(node, change)))
}

function changePart([name = '', kind, ...rest]: Nodes[], change: (words: string) => string): Nodes {
  if (kind === undefined) return [name]
  if (typeof kind !== 'number') return [name, ...(changeWords([kind, ...rest], change) as Nodes[])]
  const [branches] = rest
  const hasBranches = kind !== 4 && typeof branches === 'object' && !Array.isArray(branches)
  if (!hasBranches) return [name, kind, ...rest]
  const entries = Object.entries(branches as Record<string, Nodes>).map(([key, branch]) => [
    key,
    changeWords(branch, change),
  ])
  return [name, kind, Object.fromEntries(entries) as object]
}

/** Replaces Latin letters with fullwidth ones: `Ａｗａｚ`. */
function toWide(text: string): string {
  return text.replaceAll(/[A-Za-z]/g, (letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0))
}
