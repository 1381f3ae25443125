import { describeLanguage } from '#contract/languages.ts'

/** Source and target language as ISO 639-1 codes. */
export interface LanguagePair {
  source: string
  target: string
}

/**
 * Returns the user message of a `plain` prompt, which has no system prompt. The demo model was trained on exactly these words
 * (models/demo/training) and must be retrained when they change.
 */
export function translationPrompt(text: string, { source, target }: LanguagePair): string {
  const from = describeLanguage(source).name
  const to = describeLanguage(target).name
  return `Translate the following text from ${from} to ${to}. Output only the translation.\n\n${text}`
}
