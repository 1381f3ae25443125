import { randomUUID } from 'node:crypto'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

/** A figure of a sample with the interval in which 95 of 100 samples like it would have it. */
const Figure = z.object({ value: z.number(), low: z.number(), high: z.number() })
export type Figure = z.infer<typeof Figure>

const Common = {
  /** Language of the sound (`fa`), or of the texts (`ps-en`). */
  language: z.string(),
  /** Recordings, or lines of text. */
  items: z.number(),
  /** Those without a result, which count as empty. */
  failed: z.number(),
  peakMemoryBytes: z.number(),
}

/** Errors in percent of words and letters, which may exceed 100; seconds of work for a second of sound. */
const SpeechFigures = z.object({
  kind: z.literal('speech'),
  ...Common,
  words: z.number(),
  seconds: z.number(),
  wer: Figure,
  cer: Figure,
  realTimeFactor: z.number(),
})
/** chrF2 from 0 to 100 as sacrebleu computes it. */
const TranslationFigures = z.object({
  kind: z.literal('translation'),
  ...Common,
  chrf: Figure,
  linesPerSecond: z.number(),
  charactersPerSecond: z.number(),
  /** Of the answers; null where the engine does not count them. */
  tokensPerSecond: z.number().nullable().default(null),
})
export const EvaluationFigures = z.discriminatedUnion('kind', [SpeechFigures, TranslationFigures])
export type EvaluationFigures = z.infer<typeof EvaluationFigures>
export type SpeechFigures = z.infer<typeof SpeechFigures>
export type TranslationFigures = z.infer<typeof TranslationFigures>

/** How well a model did on one sample. */
const Evaluation = z.object({
  model: z.string(),
  /** Of the weights that were measured: figures of other weights count for nothing. */
  modelHash: z.string().nullable(),
  /** Name of the sample's folder, and what tells it from other samples of the name. */
  sample: z.string(),
  sampleHash: z.string(),
  evaluatedAt: z.iso.datetime(),
  processor: z.string(),
  threads: z.number(),
  figures: z.array(EvaluationFigures),
})
export type Evaluation = z.infer<typeof Evaluation>

const Evaluations = z.object({ evaluations: z.array(Evaluation) })

/** Beside the models, so that they go where the models go. */
export function evaluationsPath(modelsDir: string): string {
  return join(modelsDir, 'evaluations.json')
}

/** Returns all evaluations, newest last; none where the file is missing or cannot be read as such. */
export async function readEvaluations(modelsDir: string): Promise<Evaluation[]> {
  try {
    return Evaluations.parse(JSON.parse(await readFile(evaluationsPath(modelsDir), 'utf8'))).evaluations
  } catch {
    return []
  }
}

/** Keeps an evaluation in the place of an older one of the same model and sample. */
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
 * Returns a line for each language, such as "fa: WER 31.0% (28.2 to 33.9), CER 12.1%, real-time factor 0.31 (our calls, 60
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

function range({ value, low, high }: Figure, unit = ''): string {
  return `${value.toFixed(1)}${unit} (${low.toFixed(1)} to ${high.toFixed(1)})`
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}
