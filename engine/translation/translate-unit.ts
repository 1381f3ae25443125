import { hasLetters } from './detect-language.ts'
import { checkCompletion } from './gate/check-completion.ts'
import type { ShownLine } from './gate/echo.ts'
import type { Verdict } from './gate/verdict.ts'
import { needsNoTranslation } from './language-pair.ts'
import type { Completion } from './llama-child.ts'
import type { Translator } from './llama.ts'
import { NotTranslatedError } from './not-translated-error.ts'
import { examplesFor } from './profiles/examples.ts'
import { resolveProfile } from './profiles/profile.ts'
import type { GlossaryEntry, LineContext } from './profiles/request.ts'
import type { LanguagePair } from './prompt.ts'
import { splitInTwo } from './split-text.ts'

/** Longer texts are also split within a sentence if the model fails on them. */
const maxUnsplitCharacters = 200

export interface UnitOptions {
  signal?: AbortSignal
  context?: LineContext
  glossary?: GlossaryEntry[]
  /** See TranslationRequest. */
  seedOffset?: number
  /** The completion for this text from a batch, which is used if it passes the checks. */
  batchCompletion?: string
}

/**
 * Translates one text: a segment or a line. A rejected completion is retried once with a different prompt and sampling. A text that is too
 * long for one call, or was rejected twice, is split in two, down to a sentence or even to its characters. A text without letters, or
 * already in the target language, is returned unchanged.
 *
 * @throws NotTranslatedError if every completion is rejected, and any error with which the translator rejects
 */
export async function translateUnit(
  translator: Pick<Translator, 'complete' | 'model'>,
  text: string,
  pair: LanguagePair,
  { batchCompletion, ...options }: UnitOptions = {},
): Promise<string> {
  if (!hasLetters(text) || needsNoTranslation(pair)) return text
  if (batchCompletion !== undefined) {
    const completion = { kind: 'completion' as const, text: batchCompletion, isComplete: true }
    const verdict = judgeCompletion(completion, text, pair, translator, options)
    if ('translation' in verdict) return verdict.translation
  }
  const first = await translator.complete(text.trim(), pair, options)
  const verdict = judgeCompletion(first, text, pair, translator, options)
  if ('translation' in verdict) return verdict.translation
  // A demo model either knows a sentence or does not: a second sample would be made up.
  const canRetry = first.kind === 'completion' && !translator.model.isDemo
  const second = canRetry ? await translator.complete(text.trim(), pair, { ...options, isRetry: true }) : undefined
  const retried = second && judgeCompletion(second, text, pair, translator, options)
  if (retried && 'translation' in retried) return retried.translation
  const isWorthSplitting = first.kind === 'too_long' || text.length > maxUnsplitCharacters
  const parts = splitInTwo(text, isWorthSplitting ? 'anywhere' : 'sentence')
  if (!parts) throw toError(first, verdict)
  const translated: string[] = []
  for (const part of parts) translated.push(await translateUnit(translator, part, pair, options))
  return translated.join(' ')
}

/** Checks a completion; one cut by the token limit is always rejected. */
function judgeCompletion(
  completion: Completion,
  text: string,
  pair: LanguagePair,
  { model }: Pick<Translator, 'model'>,
  options: UnitOptions,
): Verdict {
  if (completion.kind === 'too_long') return { reason: 'length' }
  const shown = shownLines(model, pair, options)
  const verdict = checkCompletion(completion.text, { text, pair, shown, copiesUnknownWords: model.isDemo })
  if (completion.isComplete) return verdict
  return 'reason' in verdict && verdict.reason === 'loop' ? verdict : { reason: 'length' }
}

/** Returns the lines of the prompt that the model may repeat instead of translating. */
function shownLines(model: Translator['model'], pair: LanguagePair, { context }: UnitOptions): ShownLine[] {
  const profile = resolveProfile(model)
  const examples = profile.form === 'plain' ? [] : examplesFor(pair, profile)
  return [
    ...examples.map(({ source, target }) => ({ text: source, translation: target })),
    ...(context?.before ?? []).map(({ text, translation }) => ({ text, translation: translation ?? '' })),
  ]
}

function toError(completion: Completion, verdict: Verdict): NotTranslatedError {
  const reason = 'reason' in verdict ? verdict : { reason: 'failed' as const }
  if (completion.kind === 'too_long')
    return new NotTranslatedError(reason, 'The text is too long for the translation model.')
  if (completion.isComplete) return new NotTranslatedError(reason)
  return new NotTranslatedError(reason, 'The translation model did not finish this text.')
}
