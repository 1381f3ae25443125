import { languageName, translationLanguages } from '#contract/languages.ts'
import { translateSentence } from '#contract/texts/translate-sentence.ts'

const codesByName = new Map(Object.entries(translationLanguages).map(([code, { name }]) => [name, code]))

/** Returns why a recording of a batch failed or was skipped, with the languages in it, in the reader's language. */
export function describeReason(reason: string): string {
  // A name that no catalog has is isolated.
  return translateSentence(reason).replaceAll(/\u2066([^\u2066\u2069]+)\u2069/g, (isolated, name: string) => {
    const code = codesByName.get(name)
    return code === undefined ? isolated : languageName(code)
  })
}
