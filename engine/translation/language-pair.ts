import { AppError } from '#contract/app-error.ts'
import { describeLanguage } from '#contract/languages.ts'
import type { TranslationModel } from '#engine/models/model-entry.ts'
import { detectLanguage, hasLetters } from './detect-language.ts'
import type { LanguagePair } from './prompt.ts'

/** The language of a text that holds nothing to translate: ISO 639's code for "undetermined". */
export const undetermined = 'und'

/**
 * The language to translate `text` from: `asked`, or for `auto` what its letters tell, `und` where it has none.
 * @throws AppError `unsupported_language` when the letters do not tell
 */
export function resolveSource(asked: string, text: string): string {
  if (asked !== 'auto') return asked
  if (!hasLetters(text)) return undetermined
  const detected = detectLanguage(text)
  if (detected !== null) return detected
  throw new AppError('unsupported_language', 'The language of the text could not be told from its letters.', {
    help: 'Choose the language of the text.',
  })
}

/** Whether a text in `source` stands in `target` as it is. */
export function needsNoTranslation({ source, target }: LanguagePair): boolean {
  return source === target || source === undetermined
}

/** @throws AppError `unsupported_pair` when the model does not know both languages */
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
