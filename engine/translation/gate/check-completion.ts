import type { LanguagePair } from '../prompt.ts'
import { cleanCompletion } from './clean-completion.ts'
import { isFrequent } from './frequent-words.ts'
import { isEcho } from './echo.ts'
import type { ShownLine } from './echo.ts'
import { compareLength } from './length.ts'
import { isLoop } from './loop.ts'
import { hasForeignMarkup } from './markup.ts'
import { findAssistantTalk } from './phrases.ts'
import type { Rejection, Verdict } from './verdict.ts'
import { isWrongLanguage } from './wrong-language.ts'
import { isWrongScript } from './wrong-script.ts'
import { hasLetters, spokenForm, wordsOf } from './words.ts'

export interface CompletionCheckOptions {
  text: string
  pair: LanguagePair
  /** Other lines of the prompt. */
  shown?: ShownLine[]
  /** For the demo models, which were trained to copy unknown words: such a word is then its own translation. */
  copiesUnknownWords?: boolean
}

/** Returns the translation of `text` in a model's completion, or why the completion is rejected. */
export function checkCompletion(completion: string, options: CompletionCheckOptions): Verdict {
  const { text, pair } = options
  const cleaned = cleanCompletion(completion, text, pair)
  const rejection = findRejection(cleaned, options)
  if (rejection) return rejection
  return { translation: text.includes('\n') ? cleaned : joinLines(cleaned) }
}

function joinLines(text: string): string {
  const lines = text.split('\n').map((line) => line.trim())
  return lines.filter((line) => line !== '').join(' ')
}

/** Checks the most specific reason first: a repetition loop in the wrong script counts as a loop. */
function findRejection(
  completion: string,
  { text, pair, shown, copiesUnknownWords = false }: CompletionCheckOptions,
): Rejection | undefined {
  if (!/[\p{L}\p{N}]/u.test(completion) && hasLetters(text)) return { reason: 'empty' }
  const phrase = findAssistantTalk(completion, text)
  if (phrase) return phrase
  if (hasForeignMarkup(completion, text)) return { reason: 'markup' }
  if (copiesUnknownWords && isCopyOfUnknown(completion, text, pair)) return undefined
  if (isEcho(completion, text, pair, shown)) return { reason: 'echo' }
  if (isLoop(completion, text)) return { reason: 'loop' }
  if (isWrongScript(completion, text, pair)) return { reason: 'wrong_script' }
  if (isWrongLanguage(completion, text, pair)) return { reason: 'wrong_language' }
  const length = compareLength(completion, text)
  return length && { reason: 'length', detail: `much ${length} than the original` }
}

function isCopyOfUnknown(completion: string, text: string, { source }: LanguagePair): boolean {
  return spokenForm(completion) === spokenForm(text) && !wordsOf(completion).some((word) => isFrequent(word, source))
}
