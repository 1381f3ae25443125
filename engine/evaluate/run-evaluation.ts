import { cpus } from 'node:os'
import { AppError } from '#contract/app-error.ts'
import { contentHash } from '#engine/models/content-hash.ts'
import type { SpeechModel, TranslationModel } from '#engine/models/model-entry.ts'
import type { SpeechEngine } from '#engine/speech/speech-engine.ts'
import type { Translator } from '#engine/translation/llama.ts'
import { evaluateSpeech } from './evaluate-speech.ts'
import { evaluateTranslation } from './evaluate-translation.ts'
import type { Evaluation, EvaluationFigures } from './evaluations.ts'
import { speechFigures, translationFigures } from './figures.ts'
import type { PairOutcome, SpokenOutcome } from './figures.ts'
import { productLanguage } from './sample-language.ts'
import { hashSample } from './sample.ts'
import type { Sample, SpokenText, TextPair } from './sample.ts'

export interface RunOptions {
  sample: Sample
  modelsDir: string
  threads: number
  signal?: AbortSignal
  onProgress?: (done: number, total: number, latest: string) => void
}

/** What a model made of a sample. */
export interface ModelRun<Outcome> {
  evaluation: Evaluation
  outcomes: Outcome[]
  /** Sentences on what was left out. */
  notes: string[]
}

/**
 * Measures a speech model on the recordings of a sample, a language after the other.
 *
 * @throws AppError `unsupported_language` where the model knows none of them; see evaluateSpeech for others
 */
export async function runSpeechEvaluation(
  model: SpeechModel,
  options: RunOptions & { engine: SpeechEngine },
): Promise<ModelRun<SpokenOutcome>> {
  const { sample, engine, signal } = options
  const { known, notes } = splitKnown(
    model,
    Map.groupBy(sample.spoken, ({ language }) => language),
  )
  const outcomes: SpokenOutcome[] = []
  const figures: EvaluationFigures[] = []
  const total = sum([...known.values()])
  for (const [language, items] of known) {
    const before = outcomes.length
    const run = await evaluateSpeech({
      model,
      engine,
      items,
      signal,
      onOutcome: ({ text }, done) => options.onProgress?.(before + done, total, text),
    })
    outcomes.push(...run.outcomes)
    notes.push(...run.unreadable)
    figures.push(speechFigures(run.outcomes, { language, peakMemoryBytes: run.peakMemoryBytes }))
  }
  const measured = { spoken: [...known.values()].flat(), pairs: [] }
  return { evaluation: await describe(model, figures, measured, options), outcomes, notes }
}

/** Measures a translation model on the text pairs of a sample; otherwise like runSpeechEvaluation. */
export async function runTranslationEvaluation(
  model: TranslationModel,
  options: RunOptions & { translator: Translator },
): Promise<ModelRun<PairOutcome>> {
  const { sample, translator, signal } = options
  const { known, notes } = splitKnown(model, Map.groupBy(sample.pairs, pairOf))
  const outcomes: PairOutcome[] = []
  const figures: EvaluationFigures[] = []
  const total = sum([...known.values()])
  for (const [language, items] of known) {
    const before = outcomes.length
    const run = await evaluateTranslation({
      translator,
      items,
      signal,
      onOutcome: ({ text }, done) => options.onProgress?.(before + done, total, text),
    })
    outcomes.push(...run.outcomes)
    figures.push(translationFigures(run.outcomes, { language, peakMemoryBytes: run.peakMemoryBytes }))
  }
  const measured = { spoken: [], pairs: [...known.values()].flat() }
  return { evaluation: await describe(model, figures, measured, options), outcomes, notes }
}

export function pairOf({ source, target }: TextPair): string {
  return `${source}-${target}`
}

/** What a model does not know is left out, and said. */
function splitKnown<Item extends SpokenText | TextPair>(
  { name, languages }: SpeechModel | TranslationModel,
  groups: Map<string, Item[]>,
): { known: Map<string, Item[]>; notes: string[] } {
  const isKnown = (code: string) => code.split('-').every((part) => languages.includes(productLanguage(part)))
  const known = new Map([...groups].filter(([code]) => isKnown(code)))
  const notes = [...groups.keys()].filter((code) => !isKnown(code)).map((code) => `${name} does not know ${code}.`)
  if (known.size > 0) return { known, notes }
  throw new AppError('unsupported_language', notes.join(' '), { help: `It knows ${languages.join(', ')}.` })
}

async function describe(
  model: SpeechModel | TranslationModel,
  figures: EvaluationFigures[],
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
