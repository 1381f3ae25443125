import type { Model } from './entities/model.ts'
import { languageName, transcriptionLanguages } from './languages.ts'
import { t } from './texts/t.ts'
import { maxUsefulErrorPercent } from './weak-languages.ts'

export interface ModelRecommendation {
  language: string
  /** Null if no model that runs on this host was measured for the language. */
  model: Model | null
  /** A model that takes at most a fifth of the time and whose error is at most five points higher. */
  quicker: Model | null
}

/** A faster model is named if it takes at most this share of the time and has at most this many more word errors per hundred words. */
const quicker = { maxShare: 0.2, maxMorePercent: 5 }

/**
 * Returns the recommended speech model for each transcription language: among the models that keep up with speech on this host and fit
 * into its memory, the one with the lowest published or measured word error rate.
 */
export function recommendSpeechModels(models: Model[]): ModelRecommendation[] {
  return transcriptionLanguages.map((language) => {
    const candidates = models
      .filter((model) => isCandidate(model, language))
      .toSorted((a, b) => errorOf(a, language) - errorOf(b, language) || compareWork(a, b))
    const [model = null] = candidates
    const isQuicker = (other: Model) =>
      model !== null &&
      Number.isFinite(workOf(other)) &&
      workOf(other) <= workOf(model) * quicker.maxShare &&
      errorOf(other, language) <= errorOf(model, language) + quicker.maxMorePercent
    return { language, model, quicker: candidates.find(isQuicker) ?? null }
  })
}

/** Returns the recommendation for a language as a sentence. */
export function describeRecommendation({ language, model, quicker: other }: ModelRecommendation): string {
  const name = languageName(language)
  if (!model)
    return t('{language}: no model that runs here was measured. Measure your own with evaluate.', { language: name })
  const isWeak = errorOf(model, language) >= maxUsefulErrorPercent
  return [
    t('{language}: {model}.', { language: name, model: describe(model, language) }),
    ...(isWeak ? [t('No model known here gets half of the words right.')] : []),
    ...(other ? [t('Quicker: {model}.', { model: describe(other, language) })] : []),
  ].join(' ')
}

/** Returns the speech models worth comparing: those with a known CPU time or error rate, except demo models. */
export function listComparedModels(models: Model[]): Model[] {
  return models
    .filter(({ kind, is_demo, errors, work }) => {
      const isKnown = errors.length > 0 || (work !== null && work.cpu_s_per_s !== null)
      return kind === 'speech' && !is_demo && isKnown
    })
    .toSorted((a, b) => compareWork(a, b))
}

/** Returns the memory of a model while it runs, such as `2.1 GB`; undefined when unknown. */
export function describeMemory({ memory_bytes: bytes }: Model): string | undefined {
  if (bytes === null) return undefined
  return bytes < 1e9
    ? t('{size} MB', { size: (bytes / 1e6).toFixed(0) })
    : t('{size} GB', { size: (bytes / 1e9).toFixed(1) })
}

/** Returns the word error rates of a model for a language, such as `29.4% (FLEURS)`, lowest first. */
export function describeErrorRates({ errors }: Model, language: string): string[] {
  return errors
    .filter((error) => error.metric === 'wer' && error.language === language)
    .toSorted((a, b) => a.percent - b.percent)
    .map(({ percent, corpus }) => `${trim(percent)}% (${corpus})`)
}

/** Returns the CPU time of a model per hour of audio, such as `about 82 min`; undefined if neither measured nor estimated. */
export function describeWork({ work }: Model): string | undefined {
  if (!work || work.cpu_s_per_s === null) return undefined
  const minutes = work.cpu_s_per_s * 60
  const time = minutes < 10 ? minutes.toFixed(1) : minutes.toFixed(0)
  return work.is_measured ? t('{time} min', { time }) : t('about {time} min', { time })
}

function describe(model: Model, language: string): string {
  const [rate] = describeErrorRates(model, language)
  const work = describeWork(model)
  const facts = [
    rate === undefined ? t('word error rate not known') : t('word error rate {rate}', { rate }),
    ...(work ? [t('{time} of CPU time for an hour of sound', { time: work })] : []),
  ]
  return `${model.name}, ${facts.join(', ')}`
}

/** Demo models know only a closed vocabulary, and unusable models cannot be recommended. */
function isCandidate(model: Model, language: string): boolean {
  const { kind, is_demo, problem, languages, work } = model
  const isUsable = kind === 'speech' && !is_demo && problem === null && languages.includes(language)
  return isUsable && Number.isFinite(errorOf(model, language)) && work?.keeps_up !== false && work?.has_memory !== false
}

function errorOf({ errors }: Model, language: string): number {
  return Math.min(
    ...errors.filter((error) => error.metric === 'wer' && error.language === language).map(({ percent }) => percent),
  )
}

/** Sorts models of unknown CPU time last. */
function compareWork(a: Model, b: Model): number {
  const [first, second] = [workOf(a), workOf(b)]
  return first === second ? 0 : first - second
}

function workOf({ work }: Model): number {
  return work?.cpu_s_per_s ?? Infinity
}

function trim(percent: number): string {
  return String(Number(percent.toFixed(1)))
}
