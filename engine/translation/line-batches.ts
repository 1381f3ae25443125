import { hasLetters } from './detect-language.ts'
import { needsNoTranslation } from './language-pair.ts'
import type { Translator } from './llama.ts'
import { resolveProfile } from './profiles/profile.ts'
import type { GlossaryEntry } from './profiles/request.ts'
import type { LanguagePair } from './prompt.ts'
import type { TranslationItem } from './translation-item.ts'

/** Enough lines to give each other context, few enough that a rejected completion costs little. */
const maxLines = 8
const maxCharacters = 800

/** Lines with the same pair of languages that are translated in one request. */
interface LineBatch {
  indexes: number[]
  texts: string[]
  pair: LanguagePair
  completions?: Promise<string[] | undefined>
}

/** Groups the lines of a job, for models that translate several lines in one request. */
export interface LineBatches {
  /** Returns the texts of a line's batch; undefined for a line that is translated by itself. */
  textsBatchedWith(index: number): string[] | undefined
  /** Returns the model's completion for one line. The first line of a batch sends the request. Undefined if the numbers do not match. */
  completionOf(index: number): Promise<string | undefined>
}

export function createLineBatches(options: {
  items: TranslationItem[]
  translator: Translator
  glossary?: GlossaryEntry[]
  signal?: AbortSignal
}): LineBatches {
  const { items, translator, glossary, signal } = options
  const groups = resolveProfile(translator.model).batch ? groupIntoBatches(items) : []
  const groupOf = new Map(groups.flatMap((group) => group.indexes.map((index) => [index, group])))

  async function complete({ texts, pair }: LineBatch): Promise<string[] | undefined> {
    const text = texts.map((line, index) => `${index + 1}. ${line.replace(/\s+/gu, ' ').trim()}`).join('\n')
    const completion = await translator.complete(text, pair, { isNumbered: true, glossary, signal })
    return completion.kind === 'completion' && completion.isComplete
      ? parseNumberedLines(completion.text, texts.length)
      : undefined
  }

  return {
    textsBatchedWith: (index) => groupOf.get(index)?.texts,
    async completionOf(index) {
      const group = groupOf.get(index)
      if (!group) return undefined
      group.completions ??= complete(group)
      const completions = await group.completions
      return completions?.[group.indexes.indexOf(index)]
    },
  }
}

/** Groups consecutive lines with the same pair of languages; leaves out lines that need no model, and batches with a single line. */
function groupIntoBatches(items: TranslationItem[]): LineBatch[] {
  const groups: LineBatch[] = []
  for (const [index, { text, languages, kept }] of items.entries()) {
    if (kept || 'error' in languages || !hasLetters(text) || needsNoTranslation(languages)) continue
    const last = groups.at(-1)
    const isFull = !last || last.texts.length === maxLines || last.texts.join('').length + text.length > maxCharacters
    if (last && !isFull && last.pair.source === languages.source && last.pair.target === languages.target) {
      last.indexes.push(index)
      last.texts.push(text)
    } else groups.push({ indexes: [index], texts: [text], pair: languages })
  }
  return groups.filter(({ texts }) => texts.length > 1)
}

/** Parses `1. …` to `count. …`; returns undefined unless the lines have exactly these numbers in order. */
export function parseNumberedLines(completion: string, count: number): string[] | undefined {
  const lines = completion.split('\n').filter((line) => line.trim() !== '')
  if (lines.length !== count) return undefined
  const found = lines.flatMap((line, index) => {
    const [, number, text] = /^\s*(\d{1,2})[.):]\s*(\S.*)$/u.exec(line) ?? []
    return Number(number) === index + 1 && text !== undefined ? [text] : []
  })
  return found.length === count ? found : undefined
}
