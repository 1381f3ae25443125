import type { Model } from './entities/model.ts'

/** A transcript with a higher word error rate than this is of little use to a reader. */
export const maxUsefulErrorPercent = 50

/** Returns the languages for which a speech model is of little use because even its lowest measured word error rate is 50% or more. */
export function listWeakLanguages({ kind, errors }: Pick<Model, 'kind' | 'errors'>): string[] {
  if (kind !== 'speech') return []
  const rates = errors.filter(({ metric }) => metric === 'wer')
  const byLanguage = Map.groupBy(rates, ({ language }) => language)
  return [...byLanguage].flatMap(([language, measured]) =>
    measured.every(({ percent }) => percent >= maxUsefulErrorPercent) ? [language] : [],
  )
}
