import { findEntry, findSpeechModel, findTranslationModel } from '#engine/models/catalog.ts'
import { saveMeasurement } from '#engine/models/measured.ts'
import type { ModelEntry } from '#engine/models/model-entry.ts'
import { verifyModel } from '#engine/models/verify.ts'
import type { Trial } from './trial.ts'
import { trySpeech } from './try-speech.ts'
import { tryTranslation } from './try-translation.ts'

/**
 * Checks the files of a model, loads it in its process, lets it work on a sample that comes with Awaz and keeps what that cost
 * (`measured.json`).
 *
 * @throws AppError `model_unavailable` with what is wrong and what to do
 */
export async function tryModel(
  id: string,
  { modelsDir, translationGpu }: { modelsDir: string; translationGpu?: 'cuda' | 'vulkan' },
  { signal }: { signal?: AbortSignal } = {},
): Promise<Trial & { model: ModelEntry }> {
  const { kind } = await findEntry(id, modelsDir)
  const model = kind === 'speech' ? await findSpeechModel(id, modelsDir) : await findTranslationModel(id, modelsDir)
  await verifyModel(model, { modelsDir, signal })
  const trial =
    model.kind === 'speech'
      ? await trySpeech(model, { signal })
      : await tryTranslation(model, { gpu: translationGpu, signal })
  await saveMeasurement(modelsDir, id, trial.measurement)
  return { ...trial, model }
}

/** The figures of a trial, a line each. */
export function describeTrial({ text, warning, measurement }: Trial): string[] {
  const { engine, device, processor, loadS, realTimeFactor, cpuSPerS, tokensPerS, peakMemoryBytes } = measurement
  return [
    `engine             ${engine}`,
    `device             ${device}, ${processor}`,
    `loaded in          ${loadS.toFixed(1)} s`,
    ...(realTimeFactor === null ? [] : [`real-time factor   ${realTimeFactor.toFixed(2)}`]),
    ...(cpuSPerS === null ? [] : [`CPU time           ${cpuSPerS.toFixed(2)} s a second of sound`]),
    ...(tokensPerS === null ? [] : [`speed              ${tokensPerS.toFixed(1)} tokens a second`]),
    `peak memory        ${(peakMemoryBytes / 1e6).toFixed(0)} MB`,
    `text               ${text || '(none)'}`,
    ...(warning === null ? [] : [`warning            ${warning}`]),
  ]
}
