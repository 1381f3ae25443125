import { z } from 'zod'
import { AppError } from '../app-error.ts'
import { keywordCategories, maxKeywordLength, maxKeywordsPerCategory, noKeywords } from './keywords.ts'
import type { Keywords } from './keywords.ts'

/** The name of a downloaded keyword file. */
export const keywordFileName = 'awaz-keywords.json'

const Words = z.array(z.string()).max(maxKeywordsPerCategory).optional()
const FileContent = z.object({
  threats: Words,
  sentiment: Words,
  intent: Words,
  custom: Words,
  sounds_like: z.array(z.string()).optional(),
})

/**
 * Reads a keyword file: an object with any of the four arrays, at the top level or under `keywords` (as in an exported analysis). Words
 * follow the rules for typed words: trimmed and lowercase, without empty, overlong and repeated words. `sounds_like` names the words
 * that similar words also match.
 * @throws AppError `invalid_input`, "Invalid file format" (audio-workflow specification, section 8)
 */
export function parseKeywordFile(content: string): Keywords {
  const lists = readLists(parseJson(content))
  const keywords = noKeywords()
  for (const category of keywordCategories) keywords[category] = normalizeWords(lists[category] ?? [])
  if (lists.sounds_like === undefined) return keywords
  const listed = new Set(keywordCategories.flatMap((category) => keywords[category]))
  return { ...keywords, sounds_like: normalizeWords(lists.sounds_like).filter((word) => listed.has(word)) }
}

/** Returns the content of a keyword file, which parseKeywordFile reads. */
export function formatKeywordFile(keywords: Keywords): string {
  return `${JSON.stringify(keywords, null, 2)}\n`
}

function parseJson(content: string): unknown {
  try {
    return JSON.parse(content.replace(/^\uFEFF/u, ''))
  } catch (error) {
    throw invalidFile(error)
  }
}

function readLists(content: unknown): z.infer<typeof FileContent> {
  const wrapped = z.object({ keywords: z.record(z.string(), z.unknown()) }).safeParse(content)
  const parsed = FileContent.safeParse(wrapped.success ? wrapped.data.keywords : content)
  if (!parsed.success) throw invalidFile(parsed.error)
  if (keywordCategories.every((category) => parsed.data[category] === undefined)) throw invalidFile()
  return parsed.data
}

function normalizeWords(words: string[]): string[] {
  const kept = words.map((word) => word.trim().toLowerCase()).filter((word) => word && word.length <= maxKeywordLength)
  return [...new Set(kept)]
}

function invalidFile(cause?: unknown): AppError {
  return new AppError('invalid_input', 'Invalid file format', {
    help: 'A keyword file is JSON with the lists threats, sentiment, intent and custom.',
    cause,
  })
}
