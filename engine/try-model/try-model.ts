import { findEntry, findSpeechModel, findTranslationModel } from '#engine/models/catalog.ts'
import { saveMeasurement } from '#engine/models/measurements.ts'
import type { ModelEntry } from '#engine/models/model-entry.ts'
import { verifyModel } from '#engine/models/verify.ts'
import type { TrialResult } from './trial.ts'
import { trySpeech } from './try-speech.ts'
import { tryTranslation } from './try-translation.ts'

/** The settings of trials. */
export interface TrialConfig {
  modelsDir: string
  /** The GPU for translation; undefined for the CPU. */
  translationGpu?: 'cuda' | 'vulkan'
}

/**
 * Verifies the files of a model, loads it in its process, runs it on a bundled sample and saves the measurement (`measured.json`).
 *
 * @throws AppError `model_unavailable` with what is wrong and what to do
 */
export async function tryModel(
  id: string,
  { modelsDir, translationGpu }: TrialConfig,
  { signal }: { signal?: AbortSignal } = {},
): Promise<TrialResult & { model: ModelEntry }> {
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

/** Returns the measurements of a trial, one per line. */
export function describeTrial({ text, warning, measurement }: TrialResult): string[] {
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
