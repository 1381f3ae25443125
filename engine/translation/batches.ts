import { hasLetters } from './detect-language.ts'
import { needsNoTranslation } from './language-pair.ts'
import type { Translator } from './llama.ts'
import { resolveProfile } from './profiles/profile.ts'
import type { GlossaryEntry } from './profiles/request.ts'
import type { LanguagePair } from './prompt.ts'
import type { TranslationItem } from './translation-item.ts'

/** Enough for the lines to explain each other, few enough that one answer that goes wrong costs little. */
const mostLines = 8
const mostCharacters = 800

/** Lines that are asked for together. */
interface Batch {
  indexes: number[]
  texts: string[]
  pair: LanguagePair
  answers?: Promise<string[] | undefined>
}

/** The lines of a job in groups, for models that translate several at once. */
export interface Batches {
  /** The texts asked for together with a line; undefined where it is asked for by itself. */
  textsWith(index: number): string[] | undefined
  /** The model's answer to one line of a group, which is asked for with the first; undefined where its numbers do not fit. */
  answer(index: number): Promise<string | undefined>
}

export function createBatches(options: {
  items: TranslationItem[]
  translator: Translator
  glossary?: GlossaryEntry[]
  signal?: AbortSignal
}): Batches {
  const { items, translator, glossary, signal } = options
  const groups = resolveProfile(translator.model).batch ? groupItems(items) : []
  const groupOf = new Map(groups.flatMap((group) => group.indexes.map((index) => [index, group])))

  async function ask({ texts, pair }: Batch): Promise<string[] | undefined> {
    const text = texts.map((line, index) => `${index + 1}. ${line.replace(/\s+/gu, ' ').trim()}`).join('\n')
    const answer = await translator.ask(text, pair, { isNumbered: true, glossary, signal })
    return answer.kind === 'answer' && answer.isComplete ? readNumbered(answer.text, texts.length) : undefined
  }

  return {
    textsWith: (index) => groupOf.get(index)?.texts,
    async answer(index) {
      const group = groupOf.get(index)
      if (!group) return undefined
      group.answers ??= ask(group)
      const answers = await group.answers
      return answers?.[group.indexes.indexOf(index)]
    },
  }
}

/** Neighbours of one pair of languages; what needs no model is left out, and so is what would be alone. */
function groupItems(items: TranslationItem[]): Batch[] {
  const groups: Batch[] = []
  for (const [index, { text, languages, kept }] of items.entries()) {
    if (kept || 'error' in languages || !hasLetters(text) || needsNoTranslation(languages)) continue
    const last = groups.at(-1)
    const isFull = !last || last.texts.length === mostLines || last.texts.join('').length + text.length > mostCharacters
    if (last && !isFull && last.pair.source === languages.source && last.pair.target === languages.target) {
      last.indexes.push(index)
      last.texts.push(text)
    } else groups.push({ indexes: [index], texts: [text], pair: languages })
  }
  return groups.filter(({ texts }) => texts.length > 1)
}

/** Reads `1. …` to `count. …`; undefined unless each number is there once, in order, and nothing else is. */
export function readNumbered(answer: string, count: number): string[] | undefined {
  const lines = answer.split('\n').filter((line) => line.trim() !== '')
  if (lines.length !== count) return undefined
  const found = lines.flatMap((line, index) => {
    const [, number, text] = /^\s*(\d{1,2})[.):]\s*(\S.*)$/u.exec(line) ?? []
    return Number(number) === index + 1 && text !== undefined ? [text] : []
  })
  return found.length === count ? found : undefined
}
