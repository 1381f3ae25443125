import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isOrdinaryWord } from '#contract/name-sounds/ordinary-words.ts'
import { wordsOf, listSpellings, type NameSpellings } from './names.ts'
import type { SearchMethod } from './score.ts'

const languages = ['en', 'ps', 'ur', 'fa', 'prs', 'ar'] as const
export const newsLanguages = ['ps', 'ur', 'fa', 'prs', 'ar'] as const
type Language = (typeof languages)[number]

/** The same sentences in each language, line by line. */
export type ParallelNews = Record<Language, string[]>

export async function readNews(folder: string): Promise<ParallelNews> {
  const texts = await Promise.all(
    languages.map(async (language) => {
      const text = await readFile(join(folder, `ntrex-1-500.${language}.txt`), 'utf8')
      return [language, text.trimEnd().split('\n')] as const
    }),
  )
  return Object.fromEntries(texts) as ParallelNews // of each language
}

/** Returns how many different words of the news a spelling finds besides those of its own name, and in how many places they occur. */
export function measureFalseAlarms(
  method: SearchMethod,
  news: ParallelNews,
  names: readonly NameSpellings[],
): { words: number; tokens: number } {
  const counts = new Map<string, number>()
  for (const word of Object.values(news).flat().flatMap(wordsOf)) counts.set(word, (counts.get(word) ?? 0) + 1)
  let words = 0
  let tokens = 0
  for (const name of names) {
    const own = new Set(name.flatMap((spelling) => [wordsOf(spelling).join(' ')]))
    for (const query of name) {
      for (const [word, count] of counts) {
        if (own.has(word) || !method.isFound(query, word)) continue
        words += 1
        tokens += count
      }
    }
  }
  const queries = listSpellings(names).length
  return { words: words / queries, tokens: tokens / queries }
}

/** A capitalized word that does not begin a sentence. */
const capitalized = /(?<=[\p{Ll},] )\p{Lu}\p{Ll}{3,}/gu

/** Returns for each method how often its matches in another language are in the sentence that has the name in English. */
export function measureSentences(methods: readonly SearchMethod[], news: ParallelNews) {
  const lines = new Map<string, Set<number>>()
  for (const [index, line] of news.en.entries()) {
    for (const [word] of line.matchAll(capitalized)) {
      if (!isOrdinaryWord(word.toLowerCase())) lines.set(word, (lines.get(word) ?? new Set()).add(index))
    }
  }
  const english = news.en.map((line) => new Set(wordsOf(line)))
  const rows = methods.map((method) => {
    const found = Object.fromEntries(newsLanguages.map((language) => [language, 0]))
    let others = 0
    for (const language of newsLanguages) {
      const texts = news[language].map(wordsOf)
      for (const [name, own] of lines) {
        const isFound = new Map<string, boolean>()
        const has = (word: string) =>
          isFound.get(word) ?? isFound.set(word, method.isFound(name, word)).get(word) === true
        for (const [index, words] of texts.entries()) {
          if (!words.some(has)) continue
          if (own.has(index)) found[language] = (found[language] ?? 0) + 1
          else if (!english[index]?.has(name.toLowerCase())) others += 1
        }
      }
    }
    const places = [...lines.values()].reduce((sum, own) => sum + own.size, 0)
    const shares = Object.fromEntries(newsLanguages.map((language) => [language, (found[language] ?? 0) / places]))
    return { method: method.name, found: shares, others: others / lines.size / newsLanguages.length }
  })
  return { names: lines.size, rows }
}
