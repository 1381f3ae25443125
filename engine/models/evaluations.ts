import { randomUUID } from 'node:crypto'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

/** A score with its 95% confidence interval. */
const MetricEstimate = z.object({ value: z.number(), low: z.number(), high: z.number() })
export type MetricEstimate = z.infer<typeof MetricEstimate>

const Common = {
  /** Language of the recordings (`fa`) or languages of the texts (`ps-en`). */
  language: z.string(),
  /** Number of recordings or lines of text. */
  items: z.number(),
  /** Number of items without a result, which count as empty. */
  failed: z.number(),
  peakMemoryBytes: z.number(),
}

/** Word and character error rates in percent, which may exceed 100; processing time per second of audio. */
const SpeechMetrics = z.object({
  kind: z.literal('speech'),
  ...Common,
  words: z.number(),
  seconds: z.number(),
  wer: MetricEstimate,
  cer: MetricEstimate,
  realTimeFactor: z.number(),
})
/** chrF2 from 0 to 100 as sacrebleu computes it. */
const TranslationMetrics = z.object({
  kind: z.literal('translation'),
  ...Common,
  chrf: MetricEstimate,
  linesPerSecond: z.number(),
  charactersPerSecond: z.number(),
  /** Tokens of completions; null if the engine does not count them. */
  tokensPerSecond: z.number().nullable().default(null),
})
export const EvaluationMetrics = z.discriminatedUnion('kind', [SpeechMetrics, TranslationMetrics])
export type EvaluationMetrics = z.infer<typeof EvaluationMetrics>
export type SpeechMetrics = z.infer<typeof SpeechMetrics>
export type TranslationMetrics = z.infer<typeof TranslationMetrics>

/** The metrics of a model on one sample. */
const Evaluation = z.object({
  model: z.string(),
  /** Hash of the measured weights; metrics for other weights are ignored. */
  modelHash: z.string().nullable(),
  /** Name of the sample's folder; `sampleHash` identifies its content. */
  sample: z.string(),
  sampleHash: z.string(),
  evaluatedAt: z.iso.datetime(),
  processor: z.string(),
  threads: z.number(),
  figures: z.array(EvaluationMetrics),
})
export type Evaluation = z.infer<typeof Evaluation>

const Evaluations = z.object({ evaluations: z.array(Evaluation) })

/** Returns a path in the models folder, so that evaluations move with the models. */
export function evaluationsPath(modelsDir: string): string {
  return join(modelsDir, 'evaluations.json')
}

/** Returns all evaluations, newest last; empty if the file is missing or cannot be parsed. */
export async function readEvaluations(modelsDir: string): Promise<Evaluation[]> {
  try {
    return Evaluations.parse(JSON.parse(await readFile(evaluationsPath(modelsDir), 'utf8'))).evaluations
  } catch {
    return []
  }
}

/** Saves an evaluation, replacing an older one of the same model and sample. */
export async function saveEvaluation(modelsDir: string, evaluation: Evaluation): Promise<void> {
  const { model, sampleHash } = evaluation
  const others = (await readEvaluations(modelsDir)).filter(
    (other) => other.model !== model || other.sampleHash !== sampleHash,
  )
  const temporary = `${evaluationsPath(modelsDir)}.${randomUUID()}.partial`
  try {
    await writeFile(temporary, `${JSON.stringify({ evaluations: [...others, evaluation] }, null, 2)}\n`)
    await rename(temporary, evaluationsPath(modelsDir))
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined)
    throw error
  }
}

/**
 * Returns one line per language, such as "fa: WER 31.0% (28.2 to 33.9), CER 12.1%, real-time factor 0.31 (our calls, 60
 * recordings, 2026-11-22)".
 */
export function describeEvaluation({ figures, sample, evaluatedAt }: Evaluation): string[] {
  return figures.map((figure) => {
    const day = evaluatedAt.slice(0, 10)
    const failed = figure.failed === 0 ? '' : `, ${figure.failed} failed`
    if (figure.kind === 'speech') {
      const errors = `WER ${range(figure.wer, '%')}, CER ${figure.cer.value.toFixed(1)}%`
      const speed = `real-time factor ${figure.realTimeFactor.toFixed(2)}`
      return `${figure.language}: ${errors}, ${speed} (${sample}, ${count(figure.items, 'recording')}${failed}, ${day})`
    }
    const speed = `${figure.charactersPerSecond.toFixed(0)} characters a second`
    return `${figure.language}: chrF ${range(figure.chrf)}, ${speed} (${sample}, ${count(figure.items, 'line')}${failed}, ${day})`
  })
}

function range({ value, low, high }: MetricEstimate, unit = ''): string {
  return `${value.toFixed(1)}${unit} (${low.toFixed(1)} to ${high.toFixed(1)})`
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}
