import type { AppError } from '#contract/app-error.ts'
import type { NotTranslated } from '#contract/translation.ts'
import type { LanguagePair } from './prompt.ts'

/** A text to translate with its languages, or the reason why it cannot be translated. */
export interface TranslationItem {
  text: string
  languages: LanguagePair | { error: AppError }
  speaker?: string | null
  /** The result of an earlier job, which is kept unchanged. */
  kept?: TranslatedItem
}

/** `translatedText` is empty if `error` is set; `notTranslated` is set if the completions were rejected as translations. */
export interface TranslatedItem {
  translatedText: string
  error: string | null
  notTranslated?: NotTranslated
}
