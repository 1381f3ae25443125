import { describeLanguage } from '#contract/languages.ts'

/** What a text is translated from and into, as ISO 639-1 codes. */
export interface LanguagePair {
  source: string
  target: string
}

/**
 * The one user message a translation model gets, without any system prompt. The demo model was trained on exactly these words
 * (models/demo/training): a change here needs that model trained anew.
 */
export function translationPrompt(text: string, { source, target }: LanguagePair): string {
  const from = describeLanguage(source).name
  const to = describeLanguage(target).name
  return `Translate the following text from ${from} to ${to}. Output only the translation.\n\n${text}`
}
