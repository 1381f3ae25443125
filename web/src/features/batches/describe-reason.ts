import { languageName, translationLanguages } from '#contract/languages.ts'
import { translateSentence } from '#contract/texts/translate-sentence.ts'

const codesByName = new Map(Object.entries(translationLanguages).map(([code, { name }]) => [name, code]))

/** Returns in the reader's language why a recording of a batch failed or was skipped, including the names of languages. */
export function describeReason(reason: string): string {
  // Names that are not in the catalogs are isolated.
  return translateSentence(reason).replaceAll(/\u2066([^\u2066\u2069]+)\u2069/g, (isolated, name: string) => {
    const code = codesByName.get(name)
    return code === undefined ? isolated : languageName(code)
  })
}
