import { AppError } from '#contract/app-error.ts'
import { readConfig, type Config } from '#data/config.ts'
import { renderComparisonPage } from '#engine/evaluate/comparison-page.ts'
import { compareSpeech, compareTranslations, type ModelComparison } from '#engine/evaluate/model-comparison.ts'
import { saveEvaluation, type Evaluation } from '#engine/models/evaluations.ts'
import { formatPair, runSpeechEvaluation, runTranslationEvaluation } from '#engine/evaluate/run-evaluation.ts'
import { readSample, type Sample } from '#engine/evaluate/sample.ts'
import { productLanguage } from '#engine/evaluate/sample-language.ts'
import { chooseModels } from '#engine/models/active-models.ts'
import { findSpeechModel, findTranslationModel, readCatalog } from '#engine/models/catalog.ts'
import type { SpeechModel, TranslationModel } from '#engine/models/model-entry.ts'
import { openRemoteSpeech } from '#engine/speech/remote/remote-speech.ts'
import { createSpeechBackendCache } from '#engine/speech/speech-backend-cache.ts'
import { availableThreads } from '#engine/threads.ts'
import { startTranslator } from '#engine/translation/llama.ts'
import { evaluateUsage, parseEvaluateOptions, type EvaluateCommand } from './evaluate-options.ts'
import { formatComparison, formatEvaluation, formatLines, type RunReport } from './evaluate-report.ts'
import { runInterruptible } from './interruptible.ts'
import { assertWritable, writeOutputFile } from './output-file.ts'
import { withCommandName } from './command-name.ts'
import type { Progress } from './progress.ts'

interface RunOptions {
  sample: Sample
  /** Ids; empty for the models in use. */
  models: string[]
  progress: Progress
  signal: AbortSignal
}

/** `awaz evaluate DIR`. Returns the exit status: 0, or 130 when interrupted; throws AppError for what the user can fix. */
export async function run(args: string[]): Promise<number> {
  const options = parseEvaluateOptions(args)
  if (options === 'help') {
    console.log(withCommandName(evaluateUsage))
    return 0
  }
  for (const path of [options.html, options.lines]) if (path !== undefined) await assertWritable(path)
  const sample = limitSample(await readSample(options.folder, options), options)
  return runInterruptible(async ({ progress, signal }) => {
    if (sample.unused.length > 0) progress.note(`${sample.unused.length} recordings without a text are left out.`)
    const config = readConfig(process.env)
    const runs = await chooseRuns(config, { sample, models: options.models, progress, signal })
    progress.end()
    await report(runs, { options, sample, modelsDir: config.modelsDir })
  })
}

interface ReportOptions {
  options: EvaluateCommand
  sample: Sample
  modelsDir: string
}

async function report(runs: RunReport[], { options, sample, modelsDir }: ReportOptions): Promise<void> {
  for (const { evaluation, notes } of runs) {
    console.log(formatEvaluation(evaluation))
    for (const note of notes) console.log(`  Note: ${note}`)
  }
  const comparisons = options.models.length === 2 ? compareRuns(runs) : []
  for (const comparison of comparisons) console.log(formatComparison(comparison, { stream: process.stdout }))
  if (options.html !== undefined) await writeOutputFile(options.html, renderComparisonPage(comparisons, sample.name))
  if (options.lines !== undefined) await writeOutputFile(options.lines, formatLines(runs))
  for (const { evaluation } of runs) await save(modelsDir, evaluation)
}

/** Saves the printed figures; a folder that cannot be written to is not an error. */
async function save(modelsDir: string, evaluation: Evaluation): Promise<void> {
  await saveEvaluation(modelsDir, evaluation).catch((error: unknown) => {
    console.error(`The figures of ${evaluation.model} were not saved in ${modelsDir}: ${String(error)}`)
  })
}

function compareRuns(runs: RunReport[]): ModelComparison[] {
  const [first, second] = runs
  if (!first || !second) return []
  const models = [first.evaluation.model, second.evaluation.model] as const
  if (first.kind === 'speech' && second.kind === 'speech') {
    return [compareSpeech(models, [first.results, second.results])]
  }
  if (first.kind === 'translation' && second.kind === 'translation') {
    return [compareTranslations(models, [first.results, second.results])]
  }
  return []
}

/** Returns the first items of each language, or of the requested ones. Throws `invalid_input` when none is left. */
function limitSample(sample: Sample, { only, limit, folder }: EvaluateCommand): Sample {
  const take = <Item>(items: Item[], codeOf: (item: Item) => string) =>
    [...Map.groupBy(items, codeOf)]
      .filter(([code]) => only.length === 0 || only.includes(code))
      .flatMap(([, group]) => group.slice(0, limit))
  const limited = {
    ...sample,
    spoken: take(sample.spoken, ({ language }) => language),
    pairs: take(sample.pairs, formatPair),
  }
  if (limited.spoken.length + limited.pairs.length > 0) return limited
  throw new AppError('invalid_input', `In ${folder} there is nothing in ${only.join(', ')}.`)
}

/**
 * Evaluates each model on its part of the sample: a speech model on recordings, a translation model on text pairs.
 *
 * @throws AppError `invalid_input` where the sample has nothing for a named model
 */
async function chooseRuns(config: Config, options: RunOptions): Promise<RunReport[]> {
  const plans = options.models.length > 0 ? await planNamed(config, options) : await planActive(config, options)
  const reports: RunReport[] = []
  for (const { model, sample } of plans) {
    options.progress.begin(`${model.name}`)
    reports.push(
      model.kind === 'speech'
        ? await runSpeech(model, config, { ...options, sample })
        : await runTranslation(model, config, { ...options, sample }),
    )
  }
  return reports
}

interface Plan {
  model: SpeechModel | TranslationModel
  sample: Sample
}

async function planNamed({ modelsDir }: Config, { models, sample }: RunOptions): Promise<Plan[]> {
  const entries = await readCatalog(modelsDir)
  const kinds = new Set(entries.filter(({ id }) => models.includes(id)).map(({ kind }) => kind))
  if (kinds.size > 1) {
    throw new AppError('invalid_input', 'A speech model and a translation model cannot be compared.')
  }
  return Promise.all(
    models.map(async (id) => {
      const isTranslation = entries.some((entry) => entry.id === id && entry.kind === 'translation')
      const model = isTranslation ? await findTranslationModel(id, modelsDir) : await findSpeechModel(id, modelsDir)
      const has = isTranslation ? sample.pairs.length : sample.spoken.length
      if (has > 0) return { model, sample }
      const missing = isTranslation ? 'text pairs' : 'recordings with texts'
      throw new AppError('invalid_input', `The sample has no ${missing} for ${model.name}, a ${model.kind} model.`)
    }),
  )
}

/** Returns the models in use, each with the languages it is used for. */
async function planActive(config: Config, { sample }: RunOptions): Promise<Plan[]> {
  const active = await chooseModels(config)
  const speechOf = (language: string) => active.speechByLanguage[productLanguage(language)] ?? active.speech
  const speech = [...new Set(sample.spoken.map(({ language }) => speechOf(language)))].map((model) => {
    const spoken = sample.spoken.filter(({ language }) => speechOf(language) === model)
    return { model, sample: { ...sample, spoken, pairs: [] } }
  })
  return sample.pairs.length === 0
    ? speech
    : [...speech, { model: active.translation, sample: { ...sample, spoken: [] } }]
}

async function runSpeech(model: SpeechModel, config: Config, options: RunOptions): Promise<RunReport> {
  const { sample, progress, signal } = options
  const threads = availableThreads(config.engineThreads)
  const remote = config.speechServers && openRemoteSpeech({ settings: config.speechServers })
  const backends = createSpeechBackendCache({ threads, remote })
  try {
    const context = { sample, modelsDir: config.modelsDir, threads, signal }
    const run = await runSpeechEvaluation(model, { ...context, backends, onProgress: progress.update })
    return { kind: 'speech', ...run }
  } finally {
    await backends.close()
    remote?.close()
  }
}

async function runTranslation(model: TranslationModel, config: Config, options: RunOptions): Promise<RunReport> {
  const { sample, progress, signal } = options
  const threads = availableThreads(config.engineThreads)
  const translator = await startTranslator({
    model,
    threads,
    gpu: config.translationGpu,
    signal,
    onWarning: progress.note,
  })
  try {
    const context = { sample, modelsDir: config.modelsDir, threads, signal }
    const run = await runTranslationEvaluation(model, { ...context, translator, onProgress: progress.update })
    return { kind: 'translation', ...run }
  } finally {
    await translator.close()
  }
}
