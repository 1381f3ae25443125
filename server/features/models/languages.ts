import { translationLanguages } from '#contract/languages.ts'

/** The English name of a language, or its code where it has none here. */
export function describeLanguage(code: string): string {
  const known: Record<string, { name: string }> = translationLanguages
  return known[code]?.name ?? code
}
