import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import type { Logger } from 'pino'
import { z } from 'zod'
import { compileText, textKey, type CompiledText } from '#contract/texts/compile-text.ts'
import type { InterfaceLanguageCode } from '#contract/texts/interface-languages.ts'
import type { LoadedTexts } from '#contract/texts/t.ts'

/** Texts of a language by the English text, both in ICU MessageFormat. */
const TextFile = z.record(z.string(), z.string())

const shippedFolder = join(import.meta.dirname, '../contract/texts')

/** A script that sets `awazTexts` (see t.ts), under an address that changes with its content. */
interface TextScript {
  path: string
  plain: Buffer
  brotli: Buffer
}

interface InterfaceTextsOptions {
  /** Where an administrator corrects single texts, in a file `LANGUAGE.json` as the shipped ones. It need not exist. */
  correctionsDir: string
  log: Pick<Logger, 'warn'>
}

interface Language {
  correctedMs: number | undefined
  texts: Record<string, CompiledText>
  script: TextScript
}

export type InterfaceTexts = ReturnType<typeof createInterfaceTexts>

/** Reads the texts of the interface, with the corrections of this installation; a changed correction takes effect at the next page load. */
export function createInterfaceTexts({ correctionsDir, log }: InterfaceTextsOptions) {
  const loaded = new Map<InterfaceLanguageCode, Language>()

  async function load(code: InterfaceLanguageCode): Promise<Language> {
    const corrections = join(correctionsDir, `${code}.json`)
    const correctedMs = (await stat(corrections).catch(() => undefined))?.mtimeMs
    const known = loaded.get(code)
    if (known && known.correctedMs === correctedMs) return known
    const shipped = await readShipped(code)
    const corrected = correctedMs === undefined ? {} : await readCorrections(corrections, shipped, log)
    const texts = compileAll({ ...shipped, ...corrected })
    const language = { correctedMs, texts, script: toScript({ language: code, texts }) }
    loaded.set(code, language)
    return language
  }

  return {
    /** Returns the script of a language; undefined for English, whose texts are in the code. */
    async scriptOf(code: InterfaceLanguageCode): Promise<TextScript | undefined> {
      return code === 'en' ? undefined : (await load(code)).script
    },

    /** Returns the texts of a language as t() reads them; undefined for English. */
    async textsOf(code: InterfaceLanguageCode): Promise<LoadedTexts | undefined> {
      return code === 'en' ? undefined : { language: code, texts: (await load(code)).texts }
    },

    /** Returns the translation of a plain text, or the text itself if there is none. */
    async say(code: InterfaceLanguageCode, text: string): Promise<string> {
      const found = code === 'en' ? undefined : (await load(code)).texts[text]
      return typeof found === 'string' ? found : text
    },
  }
}

async function readShipped(code: InterfaceLanguageCode): Promise<Record<string, string>> {
  return TextFile.parse(JSON.parse(await readFile(join(shippedFolder, `${code}.json`), 'utf8')))
}

/** Reads the usable corrections. Others are logged, and the shipped text is used. */
async function readCorrections(file: string, shipped: Record<string, string>, log: Pick<Logger, 'warn'>) {
  let entries: [string, string][]
  try {
    entries = Object.entries(TextFile.parse(JSON.parse(await readFile(file, 'utf8'))))
  } catch (error) {
    log.warn({ file, err: error }, 'The corrections of texts cannot be read. They must be one JSON object of strings')
    return {}
  }
  const usable = entries.filter(([english, text]) => {
    const problem = english in shipped ? findProblem(english, text) : 'no text of the interface has these English words'
    if (problem) log.warn({ file, text: english, problem }, 'A correction of a text is left out')
    return problem === undefined
  })
  return Object.fromEntries(usable)
}

/** Returns why a text cannot replace the English one, or undefined if it can. */
export function findProblem(english: string, text: string): string | undefined {
  try {
    const [given, wanted] = [text, english].map((each) => new Set(namesIn(compileText(each)))) as [
      Set<string>,
      Set<string>,
    ]
    const missing = [...wanted].filter((name) => !given.has(name))
    const unknown = [...given].filter((name) => !wanted.has(name))
    if (unknown.length > 0) return `unknown: ${unknown.join(', ')}`
    return missing.length > 0 ? `missing: ${missing.join(', ')}` : undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** The names of values and tags in the nodes of a compiled text, as icu-minify has them. */
function namesIn(nodes: unknown): string[] {
  if (!Array.isArray(nodes)) return []
  return nodes.flatMap((node: unknown) => {
    if (!Array.isArray(node)) return []
    const [name, kind, ...rest] = node as [string, unknown, ...unknown[]]
    // A tag contains nodes. Any other node has a number for its kind, and may have branches.
    const isTag = kind !== undefined && (typeof kind !== 'number' || kind === 0)
    const within = isTag ? namesIn([kind, ...rest]) : Object.values(rest[0] ?? {}).flatMap(namesIn)
    return [name, ...within]
  })
}

function compileAll(texts: Record<string, string>): Record<string, CompiledText> {
  return Object.fromEntries(
    Object.entries(texts).map(([english, text]) => [textKey(compileText(english)), compileText(text)]),
  )
}

function toScript(loaded: LoadedTexts): TextScript {
  const plain = Buffer.from(`globalThis.awazTexts=${JSON.stringify(loaded)}`)
  const hash = createHash('sha256').update(plain).digest('base64url').slice(0, 12)
  const brotli = brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } })
  return { path: `texts/${loaded.language}-${hash}.js`, plain, brotli }
}
