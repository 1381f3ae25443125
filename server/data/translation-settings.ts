import { z } from 'zod'
import { isTranslationLanguage } from '#contract/languages.ts'

/** Comma-separated language codes, as in TRANSLATION_SERVER_LANGUAGES. */
export const LanguageList = z
  .string()
  .transform(splitEntries)
  .pipe(z.array(z.string().refine(isTranslationLanguage, 'must be codes of languages such as ps, en')).min(1))

/** `ps-en=ID, fa-en=ID` as in TRANSLATION_MODEL_BY_PAIR: model ids by language pair. */
export const ModelsByPair = z.string().transform((value, context) => {
  const models: Record<string, string> = {}
  for (const entry of splitEntries(value)) {
    const [, source = '', target = '', model = ''] = /^([a-z]{2})-([a-z]{2})\s*=\s*(\S.*)$/.exec(entry) ?? []
    const isPair = source !== target && isTranslationLanguage(source) && isTranslationLanguage(target)
    if (!isPair || Object.hasOwn(models, `${source}-${target}`)) {
      context.addIssue('must name each pair of languages once, such as ps-en=MODEL, fa-en=OTHER')
      return z.NEVER
    }
    models[`${source}-${target}`] = model
  }
  return models
})

function splitEntries(value: string): string[] {
  return value.split(',').flatMap((entry) => entry.trim() || [])
}
