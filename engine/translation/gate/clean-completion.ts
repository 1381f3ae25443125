import { describeLanguage } from '#contract/languages.ts'
import type { LanguagePair } from '../prompt.ts'
import { spokenForm } from './words.ts'

const quotes: [string, string][] = [
  ['"', '"'],
  ['“', '”'],
  ['„', '“'],
  ['«', '»'],
  ["'", "'"],
  ['‘', '’'],
  ['`', '`'],
  ['「', '」'],
]

/** Completed reasoning before the translation, in the tags that models use. */
const reasoning = /^\s*<(think|thinking|thought|reasoning)>[\s\S]*?<\/\1>\s*/iu

/**
 * Returns a completion without what is certainly not part of the translation: completed reasoning, a label such as "English:", the
 * original text in front, quotation marks around it.
 */
export function cleanCompletion(completion: string, text: string, pair: LanguagePair): string {
  const stripped = completion
    .replace(reasoning, '')
    .replace(/^\uFEFF/u, '')
    .trim()
  return stripQuotes(stripLabel(stripEcho(stripLabel(stripped, text, pair), text), text, pair), text)
}

function stripEcho(completion: string, text: string): string {
  const [first = '', ...rest] = completion.split('\n')
  const isRepeated = !text.includes('\n') && spokenForm(first) !== '' && spokenForm(first) === spokenForm(text)
  return isRepeated && rest.some((line) => line.trim() !== '') ? rest.join('\n').trim() : completion
}

/** Removes one label, the target language or the word "translation", unless the text begins with one itself. */
function stripLabel(completion: string, text: string, { target }: LanguagePair): string {
  const { name, nativeName } = describeLanguage(target)
  const label = new RegExp(
    `^(?:(?:translation|translated text|${name}|${nativeName})(?: translation| text)?|ترجمه|ترجمہ|الترجمة|ژباړه|Übersetzung|Traduction|Traducción)\\s*[:：]\\s*`,
    'iu',
  )
  return label.test(text) ? completion : completion.replace(label, '')
}

function stripQuotes(completion: string, text: string): string {
  const inner = text.trim()
  for (const [open, close] of quotes) {
    const isQuoted = completion.length > open.length && completion.startsWith(open) && completion.endsWith(close)
    if (isQuoted && !inner.startsWith(open) && !completion.slice(1, -1).includes(open))
      return completion.slice(1, -1).trim()
  }
  return completion
}
