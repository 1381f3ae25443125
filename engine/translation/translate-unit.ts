import { hasLetters } from './detect-language.ts'
import { checkAnswer } from './gate/check-answer.ts'
import type { ShownLine } from './gate/echo.ts'
import type { Verdict } from './gate/verdict.ts'
import { needsNoTranslation } from './language-pair.ts'
import type { Answer } from './llama-child.ts'
import type { Translator } from './llama.ts'
import { NotTranslatedError } from './not-translated-error.ts'
import { examplesFor } from './profiles/examples.ts'
import { resolveProfile } from './profiles/profile.ts'
import type { GlossaryEntry, LineContext } from './profiles/request.ts'
import type { LanguagePair } from './prompt.ts'
import { splitInTwo } from './split-text.ts'

/** A text of more characters is cut within a sentence too when the model fails on it. */
const longestOfOnePiece = 200

export interface UnitOptions {
  signal?: AbortSignal
  context?: LineContext
  glossary?: GlossaryEntry[]
  /** See TranslationRequest. */
  draw?: number
  /** What the model said of this text when it was asked for several: used where it is a translation. */
  batchAnswer?: string
}

/**
 * The translation of one text: a segment, a line. An answer that is no translation is asked for once more in another way. What is too
 * long for one call, or got no translation twice, goes in two parts, down to a sentence or the characters of one. A text without
 * letters, or already in the target language, stays as it is.
 * @throws NotTranslatedError when no answer is a translation, and whatever the translator rejects with
 */
export async function translateUnit(
  translator: Pick<Translator, 'ask' | 'model'>,
  text: string,
  pair: LanguagePair,
  { batchAnswer, ...options }: UnitOptions = {},
): Promise<string> {
  if (!hasLetters(text) || needsNoTranslation(pair)) return text
  if (batchAnswer !== undefined) {
    const answer = { kind: 'answer' as const, text: batchAnswer, isComplete: true }
    const verdict = readAnswer(answer, text, pair, translator, options)
    if ('translation' in verdict) return verdict.translation
  }
  const first = await translator.ask(text.trim(), pair, options)
  const verdict = readAnswer(first, text, pair, translator, options)
  if ('translation' in verdict) return verdict.translation
  // A demo model knows its sentences or does not: another draw would be an invention.
  const canRetry = first.kind === 'answer' && !translator.model.isDemo
  const second = canRetry ? await translator.ask(text.trim(), pair, { ...options, isRetry: true }) : undefined
  const retried = second && readAnswer(second, text, pair, translator, options)
  if (retried && 'translation' in retried) return retried.translation
  const isWorthSplitting = first.kind === 'too_long' || text.length > longestOfOnePiece
  const parts = splitInTwo(text, isWorthSplitting ? 'anywhere' : 'sentence')
  if (!parts) throw errorOf(first, verdict)
  const translated: string[] = []
  for (const part of parts) translated.push(await translateUnit(translator, part, pair, options))
  return translated.join(' ')
}

/** Returns what the gate says of an answer; one that was cut at its room is none, whatever it holds. */
function readAnswer(
  answer: Answer,
  text: string,
  pair: LanguagePair,
  { model }: Pick<Translator, 'model'>,
  options: UnitOptions,
): Verdict {
  if (answer.kind === 'too_long') return { reason: 'length' }
  const shown = shownLines(model, pair, options)
  const verdict = checkAnswer(answer.text, { text, pair, shown, copiesUnknownWords: model.isDemo })
  if (answer.isComplete) return verdict
  return 'reason' in verdict && verdict.reason === 'loop' ? verdict : { reason: 'length' }
}

/** What the model may say again instead of translating. */
function shownLines(model: Translator['model'], pair: LanguagePair, { context }: UnitOptions): ShownLine[] {
  const profile = resolveProfile(model)
  const examples = profile.form === 'plain' ? [] : examplesFor(pair, profile)
  return [
    ...examples.map(({ source, target }) => ({ text: source, translation: target })),
    ...(context?.before ?? []).map(({ text, translation }) => ({ text, translation: translation ?? '' })),
  ]
}

function errorOf(answer: Answer, verdict: Verdict): NotTranslatedError {
  const reason = 'reason' in verdict ? verdict : { reason: 'failed' as const }
  if (answer.kind === 'too_long')
    return new NotTranslatedError(reason, 'The text is too long for the translation model.')
  if (answer.isComplete) return new NotTranslatedError(reason)
  return new NotTranslatedError(reason, 'The translation model did not come to an end with this text.')
}
