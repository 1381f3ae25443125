import type { AppError } from '#contract/app-error.ts'
import type { NotTranslated } from '#contract/translation.ts'
import type { LanguagePair } from './prompt.ts'

/** A text to translate with its languages, or the reason why it cannot be translated. */
export interface TranslationItem {
  text: string
  languages: LanguagePair | { error: AppError }
  speaker?: string | null
  /** The result of an earlier job, which is taken over unchanged. */
  kept?: TranslatedItem
}

/** `translatedText` is empty where `error` is set; `notTranslated` is set where the completions were rejected as translations. */
export interface TranslatedItem {
  translatedText: string
  error: string | null
  notTranslated?: NotTranslated
}
