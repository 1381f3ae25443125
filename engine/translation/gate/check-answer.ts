import type { LanguagePair } from '../prompt.ts'
import { cleanAnswer } from './clean-answer.ts'
import { isFrequent } from './frequent-words.ts'
import { isEcho } from './echo.ts'
import type { ShownLine } from './echo.ts'
import { isAbsurdLength } from './length.ts'
import { isLoop } from './loop.ts'
import { hasForeignMarkup } from './markup.ts'
import { findPhrase } from './phrases.ts'
import type { Refusal, Verdict } from './verdict.ts'
import { isWrongLanguage } from './wrong-language.ts'
import { isWrongScript } from './wrong-script.ts'
import { hasLetters, spokenForm, wordsOf } from './words.ts'

export interface CheckOptions {
  text: string
  pair: LanguagePair
  /** What the model was shown beside the text. */
  shown?: ShownLine[]
  /** For the demo models, which were trained to copy what they do not know: an unknown word is then its own translation. */
  copiesUnknownWords?: boolean
}

/** Returns what of a model's answer can be shown as the translation of `text`, or why nothing can. */
export function checkAnswer(answer: string, options: CheckOptions): Verdict {
  const { text, pair } = options
  const cleaned = cleanAnswer(answer, text, pair)
  const refusal = findFault(cleaned, options)
  if (refusal) return refusal
  return { translation: text.includes('\n') ? cleaned : joinLines(cleaned) }
}

function joinLines(text: string): string {
  const lines = text.split('\n').map((line) => line.trim())
  return lines.filter((line) => line !== '').join(' ')
}

/** The plainest reason first: a loop in the wrong script is a loop. */
function findFault(
  answer: string,
  { text, pair, shown, copiesUnknownWords = false }: CheckOptions,
): Refusal | undefined {
  if (!/[\p{L}\p{N}]/u.test(answer) && hasLetters(text)) return { reason: 'empty' }
  const phrase = findPhrase(answer, text)
  if (phrase) return phrase
  if (hasForeignMarkup(answer, text)) return { reason: 'markup' }
  if (copiesUnknownWords && isCopyOfUnknown(answer, text, pair)) return undefined
  if (isEcho(answer, text, pair, shown)) return { reason: 'echo' }
  if (isLoop(answer, text)) return { reason: 'loop' }
  if (isWrongScript(answer, text, pair)) return { reason: 'wrong_script' }
  if (isWrongLanguage(answer, text, pair)) return { reason: 'wrong_language' }
  const length = isAbsurdLength(answer, text)
  return length && { reason: 'length', detail: `much ${length} than the original` }
}

function isCopyOfUnknown(answer: string, text: string, { source }: LanguagePair): boolean {
  return spokenForm(answer) === spokenForm(text) && !wordsOf(answer).some((word) => isFrequent(word, source))
}
