import { AppError } from '#contract/app-error.ts'
import type { Model, ModelUse } from '#contract/entities/model.ts'
import { listWeakLanguages } from '#contract/weak-languages.ts'
import type { Config } from '#data/config.ts'
import { describeEvaluation, readEvaluations } from '#engine/models/evaluations.ts'
import { describeModels } from '#engine/models/describe-models.ts'
import { loadCatalog, modelPath } from '#engine/models/catalog.ts'
import { findThisProcessor, readMeasurements } from '#engine/models/measurements.ts'
import type { ModelMeasurement } from '#engine/models/measurements.ts'
import type { ModelEntry } from '#engine/models/model-entry.ts'

/** Prints all models, or one with its details, then the problems of the catalogues. */
export async function list(config: Config, id: string | undefined): Promise<void> {
  const { modelsDir } = config
  const { models: entries } = await loadCatalog(modelsDir)
  const { models: known, problems } = await describeModels(config)
  const models = known.filter((model) => id === undefined || model.id === id)
  if (models.length === 0) throw new AppError('model_unavailable', `There is no model "${id}" in the catalogue.`)
  const measurements = await readMeasurements(modelsDir)
  const evaluations = await readEvaluations(modelsDir)
  const processor = findThisProcessor()
  for (const model of models) {
    const measurement = measurements[model.id]
    const cost = measurement?.processor === processor ? describeCost(measurement) : undefined
    const lines = [
      ...describe(
        model,
        entries.find((entry) => entry.id === model.id),
        modelsDir,
      ),
      ...(cost ? [cost] : []),
      ...evaluations.filter((evaluation) => evaluation.model === model.id).flatMap(describeEvaluation),
    ]
    console.log(`${mark(model)} ${model.id.padEnd(28)} ${model.name}\n${lines.map((line) => `    ${line}`).join('\n')}`)
  }
  for (const problem of problems) console.error(`Warning: ${problem}`)
}

/** Returns ✓ for a model that can be used, ✗ for an installed one that cannot. */
function mark({ is_installed, problem }: Model): string {
  if (!is_installed) return ' '
  return problem ? '✗' : '✓'
}

function describe(model: Model, entry: ModelEntry | undefined, modelsDir: string): string[] {
  const path = entry && modelPath(entry, modelsDir)
  const isUntried = entry?.kind === 'speech' && entry.isUntried
  const family = entry?.kind === 'speech' && entry.sherpa ? ` (${entry.sherpa.family})` : ''
  const facts = [
    model.kind,
    `${model.engine}${family}`,
    ...(isUntried ? ['untried'] : []),
    `languages ${model.languages.join(' ')}`,
    model.size_bytes === null ? `size ${model.approximate_size ?? 'unknown'}` : megabytes(model.size_bytes),
    model.memory_bytes === null ? 'memory unknown' : `memory ${megabytes(model.memory_bytes)}`,
    entry?.sha256 || entry?.sha1 ? 'hash known' : 'hash unknown',
    model.licence ?? 'licence unknown',
  ]
  const weak = listWeakLanguages(model)
  const errors = model.errors.map(
    ({ language, metric, percent, corpus }) => `${language} ${metric.toUpperCase()} ${percent}% (${corpus})`,
  )
  return [
    facts.join(' · '),
    ...(model.uses.length > 0 ? [`in use for ${model.uses.map(describeUse).join(', ')}`] : []),
    ...(model.form ? [model.form] : []),
    ...(model.is_installed && path ? [path] : []),
    ...(model.problem
      ? [`cannot be used: ${[model.problem.message, model.problem.help].filter(Boolean).join(' ')}`]
      : []),
    ...(model.is_installed || !model.pull_problem ? [] : [model.pull_problem]),
    ...(weak.length > 0 ? [`of little use for ${weak.join(' ')}: at least half of the words are wrong`] : []),
    `errors: ${errors.length > 0 ? errors.join(', ') : 'not measured'}`,
  ]
}

function describeUse({ code, chosen_by }: ModelUse): string {
  const what = code ?? 'everything else'
  return chosen_by === 'environment' ? `${what} (environment)` : what
}

function describeCost({ engine, cpuSPerS, tokensPerS, peakMemoryBytes, measuredAt }: ModelMeasurement): string {
  const speed =
    cpuSPerS === null
      ? `${(tokensPerS ?? 0).toFixed(1)} tokens a second`
      : `${cpuSPerS.toFixed(2)} CPU s a second of sound`
  return `${speed}, ${megabytes(peakMemoryBytes)} of memory (${engine}, ${measuredAt.slice(0, 10)})`
}

function megabytes(bytes: number): string {
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`
}
