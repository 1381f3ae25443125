import { z } from 'zod'
import { t } from '../texts/t.ts'

/** The four categories in display order; the first is the default choice (audio-workflow specification, section 9). */
export const keywordCategories = ['threats', 'sentiment', 'intent', 'custom'] as const

export const KeywordCategory = z.enum(keywordCategories)
export type KeywordCategory = z.infer<typeof KeywordCategory>

/** The names of the categories: English, with a subtitle in Pashto and Urdu (audio-workflow specification, section 1). */
export const keywordCategoryNames = {
  threats: {
    get name() {
      return t('Threats')
    },
    pashto: 'ګواښونه',
    urdu: 'دھمکیاں',
  },
  sentiment: {
    get name() {
      return t('Sentiment')
    },
    pashto: 'احساسات',
    urdu: 'جذبات',
  },
  intent: {
    get name() {
      return t('Intent')
    },
    pashto: 'نیت',
    urdu: 'ارادہ',
  },
  custom: {
    get name() {
      return t('Custom')
    },
    pashto: 'اضافي',
    urdu: 'اضافی',
  },
} as const satisfies Record<KeywordCategory, { name: string; pashto: string; urdu: string }>

/** "Pieces of 30 characters or longer are dropped": audio-workflow specification, section 5. In UTF-16 units. */
export const maxKeywordLength = 29

/** The maximum number of keywords in a category. */
export const maxKeywordsPerCategory = 2000

export const Keyword = z
  .string()
  .trim()
  .toLowerCase()
  .min(1)
  .max(maxKeywordLength, t('A keyword must be shorter than 30 characters'))

const KeywordList = z.array(Keyword).max(maxKeywordsPerCategory).default([])

/** The keywords of a user that similar words also match. */
export const SoundsLike = z.array(Keyword).max(maxKeywordsPerCategory * keywordCategories.length)

/** A user's keywords: four arrays of lowercase strings (audio-workflow specification, section 3), and those that similar words match. */
export const Keywords = z.object({
  threats: KeywordList,
  sentiment: KeywordList,
  intent: KeywordList,
  custom: KeywordList,
  sounds_like: SoundsLike.optional(),
})
export type Keywords = z.infer<typeof Keywords>

/** Returns four empty lists. */
export function noKeywords(): Keywords {
  return { threats: [], sentiment: [], intent: [], custom: [] }
}
