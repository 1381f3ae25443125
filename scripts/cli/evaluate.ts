import { access, constants, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { AppError } from '#contract/app-error.ts'
import { readConfig } from '#data/config.ts'
import { contestPage } from '#engine/evaluate/contest-html.ts'
import { compareSpeech, compareTranslations } from '#engine/evaluate/contest.ts'
import type { Contest } from '#engine/evaluate/contest.ts'
import { saveEvaluation } from '#engine/evaluate/evaluations.ts'
import type { Evaluation } from '#engine/evaluate/evaluations.ts'
import { pairOf } from '#engine/evaluate/run-evaluation.ts'
import { readSample } from '#engine/evaluate/sample.ts'
import type { Sample } from '#engine/evaluate/sample.ts'
import { chooseRuns } from './evaluate-models.ts'
import { evaluateUsage, parseEvaluateOptions } from './evaluate-options.ts'
import type { EvaluateCommand } from './evaluate-options.ts'
import { formatContest, formatEvaluation, formatLines } from './evaluate-report.ts'
import type { RunReport } from './evaluate-report.ts'
import { createProgress } from './progress.ts'

/** Exit status of a command ended by Ctrl-C: 128 + SIGINT. */
const interrupted = 130

/** `awaz evaluate DIR`: 0, or 130 when interrupted; throws AppError for what the person should know. */
export async function run(args: string[]): Promise<number> {
  const options = parseEvaluateOptions(args)
  if (options === 'help') {
    console.log(evaluateUsage)
    return 0
  }
  for (const path of [options.html, options.lines]) if (path !== undefined) await requireWritable(path)
  const sample = limitSample(await readSample(options.folder, options), options)
  const abort = new AbortController()
  const stop = () => abort.abort()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop)
  const progress = createProgress({ stream: process.stderr })
  if (sample.unused.length > 0) progress.note(`${sample.unused.length} recordings without a text are left out.`)
  try {
    const config = readConfig(process.env)
    const runs = await chooseRuns(config, { sample, models: options.models, progress, signal: abort.signal })
    progress.end()
    await report(runs, { options, sample, modelsDir: config.modelsDir })
    return 0
  } catch (error) {
    progress.end()
    if (!abort.signal.aborted) throw error
    console.error('Interrupted; nothing was written.')
    return interrupted
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, stop)
  }
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
  const contests = options.models.length === 2 ? compareRuns(runs) : []
  for (const contest of contests) console.log(formatContest(contest, { stream: process.stdout }))
  if (options.html !== undefined) await writeWhole(options.html, contestPage(contests, sample.name))
  if (options.lines !== undefined) await writeWhole(options.lines, formatLines(runs))
  for (const { evaluation } of runs) await keep(modelsDir, evaluation)
}

/** A folder that cannot be written does not take the figures away that were printed. */
async function keep(modelsDir: string, evaluation: Evaluation): Promise<void> {
  await saveEvaluation(modelsDir, evaluation).catch((error: unknown) => {
    console.error(`The figures of ${evaluation.model} were not kept in ${modelsDir}: ${String(error)}`)
  })
}

function compareRuns(runs: RunReport[]): Contest[] {
  const [first, second] = runs
  if (!first || !second) return []
  const models = [first.evaluation.model, second.evaluation.model] as const
  if (first.kind === 'speech' && second.kind === 'speech') {
    return [compareSpeech(models, [first.outcomes, second.outcomes])]
  }
  if (first.kind === 'translation' && second.kind === 'translation') {
    return [compareTranslations(models, [first.outcomes, second.outcomes])]
  }
  return []
}

/** The first items of each language, or of the languages that were asked for. */
function limitSample(sample: Sample, { only, limit, folder }: EvaluateCommand): Sample {
  const take = <Item>(items: Item[], codeOf: (item: Item) => string) =>
    [...Map.groupBy(items, codeOf)]
      .filter(([code]) => only.length === 0 || only.includes(code))
      .flatMap(([, group]) => group.slice(0, limit))
  const limited = {
    ...sample,
    spoken: take(sample.spoken, ({ language }) => language),
    pairs: take(sample.pairs, pairOf),
  }
  if (limited.spoken.length + limited.pairs.length > 0) return limited
  throw new AppError('invalid_input', `In ${folder} there is nothing in ${only.join(', ')}.`)
}

/** An evaluation may take hours: a folder that is not there is told before. */
async function requireWritable(path: string): Promise<void> {
  await access(dirname(path), constants.W_OK).catch((cause: unknown) => {
    throw new AppError('invalid_input', `${path} could not be written.`, { cause })
  })
}

/** A file appears whole or not at all. */
async function writeWhole(path: string, text: string): Promise<void> {
  const part = `${path}.part`
  try {
    await writeFile(part, text)
    await rename(part, path)
  } catch (cause) {
    await rm(part, { force: true })
    throw new AppError('invalid_input', `${path} could not be written.`, { cause })
  }
  console.error(`Written to ${path}`)
}
