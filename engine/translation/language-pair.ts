import { AppError } from '#contract/app-error.ts'
import { describeLanguage } from '#contract/languages.ts'
import type { TranslationModel } from '#engine/models/model-entry.ts'
import { detectLanguage, hasLetters } from './detect-language.ts'
import type { LanguagePair } from './prompt.ts'

/** The language of a text without letters: ISO 639's code for "undetermined". */
export const undetermined = 'und'

/**
 * Returns the source language of `text`: `requested`, or for `auto` the language detected by its letters, `und` if it has none.
 *
 * @throws AppError `unsupported_language` if detection fails
 */
export function resolveSource(requested: string, text: string): string {
  if (requested !== 'auto') return requested
  if (!hasLetters(text)) return undetermined
  const detected = detectLanguage(text)
  if (detected !== null) return detected
  throw new AppError('unsupported_language', 'The language of the text could not be detected.', {
    help: 'Choose the language of the text.',
  })
}

/** Whether the text is copied unchanged, because both languages are the same or it has no letters. */
export function needsNoTranslation({ source, target }: LanguagePair): boolean {
  return source === target || source === undetermined
}

/** Throws `unsupported_pair` if the model does not support both languages. */
export function requirePair(model: TranslationModel, pair: LanguagePair): void {
  if (needsNoTranslation(pair)) return
  const unknown = [pair.source, pair.target].find((code) => !model.languages.includes(code))
  if (unknown === undefined) return
  const source = describeLanguage(pair.source).name
  const target = describeLanguage(pair.target).name
  const known = model.languages.map((code) => describeLanguage(code).name).join(', ')
  throw new AppError('unsupported_pair', `The model ${model.name} cannot translate from ${source} to ${target}.`, {
    help: `It knows ${known}. Choose one of these, or ask an administrator for another translation model.`,
  })
}
