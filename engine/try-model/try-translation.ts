import { AppError } from '#contract/app-error.ts'
import { watchPeakMemory } from '#engine/evaluate/process-tree.ts'
import type { TranslationModel } from '#engine/models/model-entry.ts'
import { startTranslator } from '#engine/translation/llama.ts'
import type { Translator } from '#engine/translation/llama.ts'
import { describeMachine } from './machine.ts'
import type { TrialResult } from './trial.ts'

/** A greeting by source language; the Pashto one is in the demo model's vocabulary. */
const samples: Record<string, string> = {
  ps: 'سلام زما ملګریه',
  fa: 'سلام دوست من، حال شما چطور است؟',
  ur: 'السلام علیکم میرے دوست، آپ کیسے ہیں؟',
  ar: 'مرحبا يا صديقي، كيف حالك؟',
}

/**
 * Loads a translation model and translates a greeting into English on one thread or a GPU. The trial shows the cost of a model and that
 * it works, not its quality.
 *
 * @throws AppError `model_unavailable` if the model cannot be loaded, supports none of the samples' languages, or returns nothing
 */
export async function tryTranslation(
  model: TranslationModel,
  { gpu, signal }: { gpu?: 'cuda' | 'vulkan'; signal?: AbortSignal },
): Promise<TrialResult> {
  const source = findSampleLanguage(model)
  if (source === undefined) {
    throw new AppError('model_unavailable', `The model ${model.name} knows no language that there is a sample of.`, {
      help: `Samples are in ${Object.keys(samples).join(', ')}.`,
    })
  }
  const startedAt = performance.now()
  const memory = watchPeakMemory({ isNewOnly: true })
  const translator = await startTranslator({ model, threads: 1, gpu, signal })
  try {
    // The process starts and loads the model with the first call.
    await complete(translator, source, signal)
    const loadS = (performance.now() - startedAt) / 1000
    const startedSecondAt = performance.now()
    const completion = await complete(translator, source, signal)
    const seconds = (performance.now() - startedSecondAt) / 1000
    const peakMemoryBytes = memory.stop()
    return {
      text: completion.text,
      warning: translator.warning(),
      measurement: {
        ...describeMachine(gpu),
        engine: describeEngine(translator),
        loadS,
        realTimeFactor: null,
        cpuSPerS: null,
        words: null,
        tokensPerS: (completion.tokens?.completion ?? 0) / seconds,
        peakMemoryBytes,
      },
    }
  } finally {
    memory.stop()
    await translator.close()
  }
}

/** Returns the engine of a translator, with its version. */
export function describeEngine(translator: Pick<Translator, 'provenance'>): string {
  const { engine, engine_version: version } = translator.provenance()
  return version === null ? engine : `${engine} ${version}`
}

/** Returns whether a model can be tried. */
export function hasTranslationSample(model: Pick<TranslationModel, 'languages'>): boolean {
  return findSampleLanguage(model) !== undefined
}

function findSampleLanguage({ languages }: Pick<TranslationModel, 'languages'>): string | undefined {
  return languages.find((code) => Object.hasOwn(samples, code))
}

async function complete(translator: Translator, source: string, signal: AbortSignal | undefined) {
  const completion = await translator.complete(samples[source] ?? '', { source, target: 'en' }, { signal })
  if (completion.kind === 'completion' && completion.text.trim() !== '') return completion
  throw new AppError('model_unavailable', `The model ${translator.model.name} was loaded and returns nothing.`, {
    help: 'Its catalogue entry may need another profile: docs/models.md.',
  })
}
