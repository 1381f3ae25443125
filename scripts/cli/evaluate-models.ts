import { AppError } from '#contract/app-error.ts'
import type { Config } from '#data/config.ts'
import { runSpeechEvaluation, runTranslationEvaluation } from '#engine/evaluate/run-evaluation.ts'
import { productLanguage } from '#engine/evaluate/sample-language.ts'
import type { Sample } from '#engine/evaluate/sample.ts'
import { chooseModels } from '#engine/models/active-models.ts'
import { findSpeechModel, findTranslationModel, readCatalog } from '#engine/models/catalog.ts'
import type { SpeechModel, TranslationModel } from '#engine/models/model-entry.ts'
import { openRemoteSpeech } from '#engine/speech/remote/remote-speech.ts'
import { createSpeechBackendCache } from '#engine/speech/speech-backend-cache.ts'
import { availableThreads } from '#engine/threads.ts'
import { startTranslator } from '#engine/translation/llama.ts'
import type { RunReport } from './evaluate-report.ts'
import type { Progress } from './progress.ts'

interface RunOptions {
  sample: Sample
  /** Ids; the models in use where there are none. */
  models: string[]
  progress: Progress
  signal: AbortSignal
}

/**
 * Evaluates each model on its part of the sample: a speech model on recordings, a translation model on text pairs.
 *
 * @throws AppError `invalid_input` where a model is named for which the sample has nothing
 */
export async function chooseRuns(config: Config, options: RunOptions): Promise<RunReport[]> {
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

/** Returns the models in use, each with the languages that it is used for. */
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
