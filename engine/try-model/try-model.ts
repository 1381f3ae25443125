import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findEntry, findSpeechModel, findTranslationModel, bundledModelsDir } from '#engine/models/catalog.ts'
import { saveMeasurement } from '#engine/models/measurements.ts'
import type { ModelEntry, SpeechModel } from '#engine/models/model-entry.ts'
import { verifyModel } from '#engine/models/verify.ts'
import { decodeAudio } from '#engine/audio/decode.ts'
import { sampleRate } from '#engine/audio/decoded-audio.ts'
import { detectSpeech } from '#engine/audio/detector/detect-speech.ts'
import { packWindows, readWindow } from '#engine/audio/windows.ts'
import { watchPeakMemory } from '#engine/evaluate/process-tree.ts'
import { startBackend } from '#engine/speech/start-backend.ts'
import { decodingFor } from '#engine/speech/decode-settings.ts'
import { recognizeWindow, type WindowAudio } from '#engine/speech/recognize-window.ts'
import type { TrialResult } from './trial.ts'
import { tryTranslation } from './try-translation.ts'
import { describeMachine } from './machine.ts'

/** The settings for trials. */
export interface TrialConfig {
  modelsDir: string
  /** The GPU for translation; undefined for the CPU. */
  translationGpu?: 'cuda' | 'vulkan'
}

/** The English channel of the sample call. */
const channel = 1

/**
 * Verifies the files of a model, loads it in a separate process, runs it on a bundled sample and saves the measurement (`measured.json`).
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

/**
 * Loads a speech model and transcribes the bundled sample call on one thread. The voices of the sample are synthetic: the trial shows the
 * cost of a model and that it works, not its accuracy.
 *
 * @throws AppError `model_unavailable` with a sentence if a file is missing or damaged or the model cannot be loaded
 */
export async function trySpeech(model: SpeechModel, { signal }: { signal?: AbortSignal }): Promise<TrialResult> {
  return measure(model, await readSpeechSample(model), signal)
}

/** Returns the English speech of the sample call, in windows as in the product. */
export async function readSpeechSample({
  maxWindowMs,
  oneSpanPerWindow,
}: Pick<SpeechModel, 'maxWindowMs' | 'oneSpanPerWindow'>): Promise<WindowAudio[]> {
  const workDir = await mkdtemp(join(tmpdir(), 'awaz-verify-'))
  try {
    const decoded = await decodeAudio(join(bundledModelsDir, 'demo', 'sample-call.mp3'), { workDir })
    const { spans } = await detectSpeech(decoded)
    const frames = decoded.frames[channel] ?? new Float32Array()
    const windows = packWindows(spans[channel] ?? [], { frames, maxWindowMs, oneSpanPerWindow })
    return await Promise.all(
      windows.map(async (window) => ({ window, samples: await readWindow(decoded, channel, window) })),
    )
  } finally {
    await rm(workDir, { recursive: true, force: true })
  }
}

async function measure(
  model: SpeechModel,
  sounds: WindowAudio[],
  signal: AbortSignal | undefined,
): Promise<TrialResult> {
  const language = model.languages.includes('en') ? 'en' : (model.languages[0] ?? 'en')
  const decoding = decodingFor(model, language)
  const startedAt = performance.now()
  const memory = watchPeakMemory({ isNewOnly: true })
  const backend = await startBackend({ model, threads: () => 1 })
  try {
    // The process starts and loads the model with the first call.
    await backend.transcribe(new Float32Array(sampleRate), { language, decoding, signal })
    const loadS = (performance.now() - startedAt) / 1000
    const before = { atMs: performance.now(), cpuMs: backend.cpuMs() }
    const texts: string[] = []
    for (const sound of sounds) {
      const { segments } = await recognizeWindow(backend, sound, { language, decoding, signal })
      texts.push(...segments.map((segment) => segment.text))
    }
    const soundMs = sounds.reduce((sum, { window }) => sum + window.durationMs, 0)
    return {
      text: texts.join(' '),
      warning: null,
      measurement: {
        ...describeMachine(),
        engine: backend.capabilities.engine,
        loadS,
        realTimeFactor: (performance.now() - before.atMs) / soundMs,
        cpuSPerS: (backend.cpuMs() - before.cpuMs) / soundMs,
        tokensPerS: null,
        words: texts
          .join(' ')
          .split(/\s+/u)
          .filter((word) => word !== '').length,
        peakMemoryBytes: memory.stop(),
      },
    }
  } finally {
    memory.stop()
    await backend.close()
  }
}
