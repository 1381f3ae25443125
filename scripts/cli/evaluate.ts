import { AppError } from '#contract/app-error.ts'
import { readConfig } from '#data/config.ts'
import { renderComparisonPage } from '#engine/evaluate/comparison-page.ts'
import { compareSpeech, compareTranslations } from '#engine/evaluate/model-comparison.ts'
import type { ModelComparison } from '#engine/evaluate/model-comparison.ts'
import { saveEvaluation } from '#engine/models/evaluations.ts'
import type { Evaluation } from '#engine/models/evaluations.ts'
import { formatPair } from '#engine/evaluate/run-evaluation.ts'
import { readSample } from '#engine/evaluate/sample.ts'
import type { Sample } from '#engine/evaluate/sample.ts'
import { chooseRuns } from './evaluate-models.ts'
import { evaluateUsage, parseEvaluateOptions } from './evaluate-options.ts'
import type { EvaluateCommand } from './evaluate-options.ts'
import { formatComparison, formatEvaluation, formatLines } from './evaluate-report.ts'
import type { RunReport } from './evaluate-report.ts'
import { runInterruptible } from './interruptible.ts'
import { assertWritable, writeOutputFile } from './output-file.ts'
import { withCommandName } from './command-name.ts'

/** `awaz evaluate DIR`. Returns the exit status: 0, or 130 when interrupted; throws AppError for what the person can fix. */
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

/** Saves the figures that were printed; a folder that cannot be written is not an error. */
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
