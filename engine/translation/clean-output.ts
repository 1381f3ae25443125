import { AppError } from '#contract/app-error.ts'
import { describeLanguage } from '#contract/languages.ts'
import { detectLanguage } from './detect-language.ts'
import type { LanguagePair } from './prompt.ts'

const fewestTellingWords = 3

const quotes: [string, string][] = [
  ['"', '"'],
  ['“', '”'],
  ['„', '“'],
  ['«', '»'],
  ["'", "'"],
  ['‘', '’'],
  ['`', '`'],
]

/**
 * A model's answer without what it was not asked for: quotation marks round it, a heading such as "Translation:", the text
 * repeated before its translation. Throws `internal` with a sentence when nothing is left, or the answer is written in the script of
 * the source where the target has another.
 */
export function cleanOutput(output: string, text: string, pair: LanguagePair): string {
  const unquoted = stripQuotes(stripHeading(stripEcho(output.trim(), text.trim()), text, pair), text)
  const cleaned = text.includes('\n') ? unquoted : unquoted.replace(/\s*\n\s*/gu, ' ')
  if (cleaned === '') throw new AppError('internal', 'The translation model gave no answer.')
  if (isInSourceScript(cleaned, pair)) {
    throw new AppError('internal', 'The translation model answered in the language of the text.')
  }
  return cleaned
}

function stripEcho(output: string, text: string): string {
  const [first = '', ...rest] = output.split('\n')
  const isRepeated = !text.includes('\n') && first.trim() === text && rest.some((line) => line.trim() !== '')
  return isRepeated ? rest.join('\n').trim() : output
}

function stripHeading(output: string, text: string, { target }: LanguagePair): string {
  const { name, nativeName } = describeLanguage(target)
  const heading = new RegExp(
    `^(?:translation|translated text|${name}|${nativeName})(?: translation)?\\s*[:：]\\s*`,
    'iu',
  )
  return heading.test(text) ? output : output.replace(heading, '')
}

function stripQuotes(output: string, text: string): string {
  const inner = text.trim()
  for (const [open, close] of quotes) {
    const isQuoted = output.length > open.length && output.startsWith(open) && output.endsWith(close)
    if (isQuoted && !inner.startsWith(open) && !output.slice(1, -1).includes(open)) return output.slice(1, -1).trim()
  }
  return output
}

/** A name or a loan word may stay in its own script; several words in the script of the other direction were not translated. */
function isInSourceScript(output: string, { source, target }: LanguagePair): boolean {
  const { direction } = describeLanguage(source)
  if (direction === describeLanguage(target).direction || output.split(/\s+/u).length < fewestTellingWords) return false
  const written = detectLanguage(output)
  return written !== null && describeLanguage(written).direction === direction
}
