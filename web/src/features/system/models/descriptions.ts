import type { Model, ModelEvaluation, ModelUse } from '#contract/entities/model.ts'
import type { ModelOperation } from '#contract/entities/model-operation.ts'
import { t } from '#contract/texts/t.ts'
import { listWeakLanguages } from '#contract/weak-languages.ts'
import { formatSize } from '../../../shared/format.ts'
import { languageName } from '../../../shared/recordings/languages.ts'

/** Returns `Persian to English` for `fa-en`. */
export function describePair(pair: string): string {
  return pair.split('-').map(languageName).join(' to ')
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
  return rest > 0 ? `${names.join(', ')} and ${rest} more` : names.join(', ')
}

const metrics: Record<string, string> = {
  wer: t('of words wrong'),
  cer: t('of characters wrong'),
  exact_mismatch: t('of sentences not as expected'),
}

/** Returns `Persian: 29.4% of words wrong (FLEURS)`. */
export function describeError({ language, metric, percent, corpus }: Model['errors'][number]): string {
  const [source, target] = language.split('-')
  const name = target ? describePair(language) : languageName(source ?? language)
  return `${name}: ${trim(percent)}% ${metrics[metric] ?? metric} (${corpus})`
}

/** Returns a sentence about the languages for which a model is of little use; undefined where none is known. */
export function describeWeakLanguages(model: Model): string | undefined {
  const names = listWeakLanguages(model).map(languageName)
  if (names.length === 0) return undefined
  return `Of little use for ${new Intl.ListFormat('en').format(names)}: at least half of the words are wrong.`
}

/** Returns `Persian: 31.2% of words wrong, 95% between 28 and 34 (my calls)`. */
export function describeEvaluation({ sample, language, metric, value, low, high }: ModelEvaluation): string {
  const name = language.includes('-') ? describePair(language) : languageName(language)
  const score = metric === 'chrf' ? `chrF ${trim(value)}` : `${trim(value)}% ${metrics[metric] ?? metric}`
  const interval =
    low === null || high === null ? '' : t(', 95% between {low} and {high}', { low: trim(low), high: trim(high) })
  return `${name}: ${score}${interval} (${sample})`
}

function trim(value: number): string {
  return String(Number(value.toFixed(1)))
}

/** Returns the size on disk, measured or from the catalogue. */
export function describeSize({ size_bytes, approximate_size }: Model): string {
  if (size_bytes !== null) return formatSize(size_bytes)
  return approximate_size ? `about ${approximate_size}` : t('not known')
}

const operationNames = {
  pull: t('Download'),
  import: t('Import'),
  verify: t('Trial'),
  use: t('Choice'),
  remove: t('Removal'),
} as const

/** Returns `Download of Whisper small` or `Whisper small for Persian`. */
export function describeOperation(operation: ModelOperation, known: Model[]): string {
  const { kind, model_id, import_name, language, pair } = operation
  const name = import_name ?? known.find(({ id }) => id === model_id)?.name ?? model_id ?? t('a model')
  if (kind === 'clear') return `${name} no longer for ${language ? languageName(language) : describePair(pair ?? '')}`
  if (kind !== 'use') return `${operationNames[kind]} of ${name}`
  if (language) return `${name} for ${languageName(language)}`
  return pair ? `${name} for ${describePair(pair)}` : t('{name} for everything else', { name })
}

/** Returns the progress of an operation in words: `Downloading, 1.2 GB of 3.0 GB`. */
export function describeProgress({ state, progress }: ModelOperation): string {
  if (state === 'queued') return t('Waits for an engine')
  if (!progress) return t('Begins')
  const { stage, done, total, is_bytes } = progress
  const format = (value: number) => (is_bytes ? formatSize(value) : String(Math.round(value)))
  if (total === null) return done > 0 ? `${stage}, ${format(done)}` : stage
  return is_bytes ? `${stage}, ${format(done)} of ${format(total)}` : stage
}

/** Returns the progress in percent, 0 to 100; null where it is unknown. */
export function percentOf({ progress }: ModelOperation): number | null {
  if (!progress || progress.total === null) return null
  return Math.min(100, (progress.done / progress.total) * 100)
}
