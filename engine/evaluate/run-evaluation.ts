import { cpus } from 'node:os'
import { AppError } from '#contract/app-error.ts'
import { contentHash } from '#engine/models/content-hash.ts'
import type { SpeechModel, TranslationModel } from '#engine/models/model-entry.ts'
import type { SpeechBackendCache } from '#engine/speech/speech-backend-cache.ts'
import type { Translator } from '#engine/translation/llama.ts'
import { evaluateSpeech } from './evaluate-speech.ts'
import { evaluateTranslation } from './evaluate-translation.ts'
import type { Evaluation, EvaluationMetrics } from '../models/evaluations.ts'
import { computeSpeechMetrics, computeTranslationMetrics } from './metrics.ts'
import type { TranslationItemResult, SpeechResult } from './metrics.ts'
import { productLanguage } from './sample-language.ts'
import { hashSample } from './sample.ts'
import type { Sample, ReferenceRecording, TextPair } from './sample.ts'

export interface RunOptions {
  sample: Sample
  modelsDir: string
  threads: number
  signal?: AbortSignal
  onProgress?: (done: number, total: number, latest: string) => void
}

/** The results of a model on a sample. */
export interface EvaluationRun<Result> {
  evaluation: Evaluation
  results: Result[]
  /** Messages about what was left out. */
  notes: string[]
}

/**
 * Evaluates a speech model on the recordings of a sample, one language after the other.
 *
 * @throws AppError `unsupported_language` if the model supports none of them; see evaluateSpeech for other errors
 */
export async function runSpeechEvaluation(
  model: SpeechModel,
  options: RunOptions & { backends: SpeechBackendCache },
): Promise<EvaluationRun<SpeechResult>> {
  const { sample, backends, signal } = options
  const { known, notes } = selectSupported(
    model,
    Map.groupBy(sample.spoken, ({ language }) => language),
  )
  const results: SpeechResult[] = []
  const figures: EvaluationMetrics[] = []
  const total = sum([...known.values()])
  for (const [language, items] of known) {
    const before = results.length
    const run = await evaluateSpeech({
      model,
      backends,
      items,
      signal,
      onResult: ({ text }, done) => options.onProgress?.(before + done, total, text),
    })
    results.push(...run.results)
    notes.push(...run.unreadable)
    figures.push(computeSpeechMetrics(run.results, { language, peakMemoryBytes: run.peakMemoryBytes }))
  }
  const measured = { spoken: [...known.values()].flat(), pairs: [] }
  return { evaluation: await describe(model, figures, measured, options), results, notes }
}

/** Evaluates a translation model on the text pairs of a sample; otherwise like runSpeechEvaluation. */
export async function runTranslationEvaluation(
  model: TranslationModel,
  options: RunOptions & { translator: Translator },
): Promise<EvaluationRun<TranslationItemResult>> {
  const { sample, translator, signal } = options
  const { known, notes } = selectSupported(model, Map.groupBy(sample.pairs, formatPair))
  const results: TranslationItemResult[] = []
  const figures: EvaluationMetrics[] = []
  const total = sum([...known.values()])
  for (const [language, items] of known) {
    const before = results.length
    const run = await evaluateTranslation({
      translator,
      items,
      signal,
      onResult: ({ text }, done) => options.onProgress?.(before + done, total, text),
    })
    results.push(...run.results)
    figures.push(computeTranslationMetrics(run.results, { language, peakMemoryBytes: run.peakMemoryBytes }))
  }
  const measured = { spoken: [], pairs: [...known.values()].flat() }
  return { evaluation: await describe(model, figures, measured, options), results, notes }
}

export function formatPair({ source, target }: TextPair): string {
  return `${source}-${target}`
}

/** Leaves out the languages that a model does not support, with a note for each. */
function selectSupported<Item extends ReferenceRecording | TextPair>(
  { name, languages }: SpeechModel | TranslationModel,
  groups: Map<string, Item[]>,
): { known: Map<string, Item[]>; notes: string[] } {
  const isSupported = (code: string) => code.split('-').every((part) => languages.includes(productLanguage(part)))
  const known = new Map([...groups].filter(([code]) => isSupported(code)))
  const notes = [...groups.keys()].filter((code) => !isSupported(code)).map((code) => `${name} does not know ${code}.`)
  if (known.size > 0) return { known, notes }
  throw new AppError('unsupported_language', notes.join(' '), { help: `It knows ${languages.join(', ')}.` })
}

async function describe(
  model: SpeechModel | TranslationModel,
  figures: EvaluationMetrics[],
  measured: Pick<Sample, 'spoken' | 'pairs'>,
  { sample, modelsDir, threads, signal }: RunOptions,
): Promise<Evaluation> {
  const isRemote = model.kind === 'speech' && model.remoteName !== undefined
  return {
    model: model.id,
    modelHash: isRemote ? null : await contentHash(model, { modelsDir, signal }),
    sample: sample.name,
    sampleHash: hashSample(measured),
    evaluatedAt: new Date().toISOString(),
    processor: cpus()[0]?.model ?? '',
    threads,
    figures,
  }
}

function sum(groups: readonly unknown[][]): number {
  return groups.reduce((total, group) => total + group.length, 0)
}
