import type { Model, ModelEvaluation, ModelUse } from '#contract/entities/model.ts'
import type { ModelOperation } from '#contract/entities/model-operation.ts'
import { t } from '#contract/texts/t.ts'
import { listWeakLanguages } from '#contract/weak-languages.ts'
import { comma, formatList, formatNumber, formatSize, leftToRight } from '../../../shared/format.ts'
import { languageName } from '../../../shared/recordings/languages.ts'
import { displayLocale } from '../../../shared/texts/locale.ts'

const percentFormat = new Intl.NumberFormat(displayLocale(), { style: 'percent', maximumFractionDigits: 1 })

/** Returns `29.4%` for 29.4. */
export function formatErrorRate(percent: number): string {
  return percentFormat.format(percent / 100)
}

/** Returns `Persian to English` for `fa-en`. */
export function describePair(pair: string): string {
  const [source = pair, target] = pair.split('-').map(languageName)
  return target === undefined ? source : t('{source} to {target}', { source, target })
}

/** Returns `Persian`, `Persian to English`, or what a default model serves. */
export function describeUse({ scope, code }: ModelUse, kind: Model['kind']): string {
  if (scope === 'language' && code) return languageName(code)
  if (scope === 'pair' && code) return describePair(code)
  return kind === 'speech' ? t('All other languages') : t('All other pairs')
}

/** Returns `Persian, English and 3 more`. */
export function describeLanguages(codes: string[], maxShown = 6): string {
  const names = codes.slice(0, maxShown).map(languageName)
  const rest = codes.length - names.length
  const languages = names.join(comma)
  return rest > 0 ? t('{languages} and {rest, number} more', { languages, rest }) : languages
}

/** Returns `29.4% of words wrong`, or a score on the scale of its metric. */
function describeScore(metric: string, value: number): string {
  if (metric === 'chrf') return `chrF ${formatNumber(value, 1)}`
  const share = formatErrorRate(value)
  if (metric === 'wer') return t('{share} of words wrong', { share })
  if (metric === 'cer') return t('{share} of characters wrong', { share })
  if (metric === 'exact_mismatch') return t('{share} of sentences not as expected', { share })
  return `${share} ${metric}`
}

/** Returns `Persian: 29.4% of words wrong (FLEURS)`. */
export function describeError({ language, metric, percent, corpus }: Model['errors'][number]): string {
  const [source, target] = language.split('-')
  const name = target ? describePair(language) : languageName(source ?? language)
  return `${name}: ${describeScore(metric, percent)} (${corpus})`
}

/** Returns a sentence about the languages for which a model is of little use; undefined if none are known. */
export function describeWeakLanguages(model: Model): string | undefined {
  const names = listWeakLanguages(model).map(languageName)
  if (names.length === 0) return undefined
  return t('Of little use for {languages}: at least half of the words are wrong.', { languages: formatList(names) })
}

/** Returns `Persian: 31.2% of words wrong, 95% between 28 and 34 (my calls)`. */
export function describeEvaluation({ sample, language, metric, value, low, high }: ModelEvaluation): string {
  const name = language.includes('-') ? describePair(language) : languageName(language)
  const facts = [describeScore(metric, value)]
  if (low !== null && high !== null) {
    facts.push(t('95% between {low, number, ::.#} and {high, number, ::.#}', { low, high }))
  }
  return `${name}: ${facts.join(comma)} (${sample})`
}

/** Returns the size on disk, measured or from the catalogue; the order of the catalogue's `2.7 GB` is kept in right-to-left text. */
export function describeSize({ size_bytes, approximate_size }: Model): string {
  if (size_bytes !== null) return formatSize(size_bytes)
  return approximate_size ? t('about {size}', { size: leftToRight(approximate_size) }) : t('not known')
}

/** Returns `Download of Whisper small` or `Whisper small for Persian`. */
export function describeOperation(operation: ModelOperation, known: Model[]): string {
  const { kind, model_id, import_name, language, pair } = operation
  const name = import_name ?? known.find(({ id }) => id === model_id)?.name ?? model_id ?? t('a model')
  const use = language ? languageName(language) : pair && describePair(pair)
  switch (kind) {
    case 'pull':
      return t('Download of {name}', { name })
    case 'import':
      return t('Import of {name}', { name })
    case 'verify':
      return t('Trial of {name}', { name })
    case 'remove':
      return t('Removal of {name}', { name })
    case 'clear':
      return t('{name} no longer for {use}', { name, use: use ?? '' })
    case 'use':
      return use ? t('{name} for {use}', { name, use }) : t('{name} for everything else', { name })
  }
}

/** Returns the progress of an operation in words: `Downloading, 1.2 GB of 3.0 GB`. */
export function describeProgress({ state, progress }: ModelOperation): string {
  if (state === 'queued') return t('Waits for an engine')
  if (!progress) return t('Begins')
  const { stage, done, total, is_bytes } = progress
  const format = (value: number) => (is_bytes ? formatSize(value) : formatNumber(value))
  if (total === null) return done > 0 ? `${stage}, ${format(done)}` : stage
  return is_bytes ? t('{stage}, {done} of {total}', { stage, done: format(done), total: format(total) }) : stage
}

/** Returns the progress in percent, 0 to 100; null where it is unknown. */
export function percentOf({ progress }: ModelOperation): number | null {
  if (!progress || progress.total === null) return null
  return Math.min(100, (progress.done / progress.total) * 100)
}
