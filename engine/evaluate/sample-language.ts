import { isTranslationLanguage } from '#contract/languages.ts'

/** Codes of ISO 639-2 and 639-3 for the product's languages. Models and the product treat Dari as Persian. */
const productCodes: Record<string, string> = {
  prs: 'fa',
  fas: 'fa',
  per: 'fa',
  pes: 'fa',
  pus: 'ps',
  pbt: 'ps',
  pbu: 'ps',
  eng: 'en',
  urd: 'ur',
  ara: 'ar',
  arb: 'ar',
}

/** Returns the product's code for a sample's language: `fa` for `fa-IR`, `fas` and `prs`. */
export function productLanguage(code: string): string {
  const [base = ''] = code.toLowerCase().split(/[-_]/u)
  return productCodes[base] ?? base
}

export function isKnownLanguage(code: string): boolean {
  return isTranslationLanguage(productLanguage(code))
}
