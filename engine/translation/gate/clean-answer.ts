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

/** Finished thoughts before the answer, in the marks that models use. */
const thoughts = /^\s*<(think|thinking|thought|reasoning)>[\s\S]*?<\/\1>\s*/iu

/**
 * An answer without what can honestly be taken away: finished thoughts before it, a label such as "English:", the text repeated
 * in front, quotation marks round it.
 */
export function cleanAnswer(answer: string, text: string, pair: LanguagePair): string {
  const spoken = answer
    .replace(thoughts, '')
    .replace(/^\uFEFF/u, '')
    .trim()
  const bare = stripQuotes(stripLabel(stripEcho(stripLabel(spoken, text, pair), text), text, pair), text)
  return bare
}

function stripEcho(answer: string, text: string): string {
  const [first = '', ...rest] = answer.split('\n')
  const isRepeated = !text.includes('\n') && spokenForm(first) !== '' && spokenForm(first) === spokenForm(text)
  return isRepeated && rest.some((line) => line.trim() !== '') ? rest.join('\n').trim() : answer
}

/** At most one label, of the target language or the word "translation"; a text that begins with one keeps it. */
function stripLabel(answer: string, text: string, { target }: LanguagePair): string {
  const { name, nativeName } = describeLanguage(target)
  const label = new RegExp(
    `^(?:(?:translation|translated text|${name}|${nativeName})(?: translation| text)?|ترجمه|ترجمہ|الترجمة|ژباړه|Übersetzung|Traduction|Traducción)\\s*[:：]\\s*`,
    'iu',
  )
  return label.test(text) ? answer : answer.replace(label, '')
}

function stripQuotes(answer: string, text: string): string {
  const inner = text.trim()
  for (const [open, close] of quotes) {
    const isQuoted = answer.length > open.length && answer.startsWith(open) && answer.endsWith(close)
    if (isQuoted && !inner.startsWith(open) && !answer.slice(1, -1).includes(open)) return answer.slice(1, -1).trim()
  }
  return answer
}
