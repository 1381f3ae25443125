import { AppError } from '#contract/app-error.ts'
import type { TranscriptionLanguageChoice } from '#contract/languages.ts'
import type { TranscriptionProgress, TranscriptionResult, TranscriptionWarning } from '#contract/transcription.ts'
import type { DecodedAudio } from '#engine/audio/decoded-audio.ts'
import { detectSpeech } from '#engine/audio/detector/detect-speech.ts'
import { cancellationError } from '#engine/child/child-process.ts'
import type { SpeechModel } from '#engine/models/model-entry.ts'
import { listChannels } from './channel-plan.ts'
import type { ChannelPlan, PlannedWindow } from './channel-plan.ts'
import { mapInOrder } from './map-in-order.ts'
import { planChannel } from './plan-channel.ts'
import type { PlanContext } from './plan-channel.ts'
import { describeProvenance, noteEngines } from './provenance.ts'
import { orderWindows } from './order-windows.ts'
import { buildProgress, buildResult, stageProgress } from './result.ts'
import { separateVoices } from './separate-voices.ts'
import type { SeparationOptions } from './separate-voices.ts'
import { createSpeechEngine } from './speech-engine.ts'
import type { SpeechEngine } from './speech-engine.ts'
import { withVoices } from './voice-lines.ts'
import type { SpokenWindow } from './voice-lines.ts'
import { collectWarnings, scriptWarnings } from './warnings.ts'
import { isWindowFailure, transcribeLines } from './window-lines.ts'
import type { Checkpoint, WindowResult } from './window-result.ts'

interface CommonOptions {
  /**
   * One language for all channels, or one for each, left first; `auto` lets the model tell, for each channel by itself, and `multi` for
   * each part of a channel.
   */
  language: TranscriptionLanguageChoice | readonly TranscriptionLanguageChoice[]
  model: SpeechModel
  /** Models that are better for one language, by its code; `model` detects languages and serves all others. */
  modelsByLanguage?: Partial<Record<string, SpeechModel>>
  /** Why a language cannot be transcribed although it may be heard, by code: a recording in it fails with that. */
  languageFaults?: Partial<Record<string, AppError>>
  /** Names that are likely to be heard. None by default: a prompt of ordinary words makes some languages much worse. */
  names?: string[]
  signal?: AbortSignal
  /** Called while voices are told apart, once when the number of windows is known and then after each window. */
  onProgress?: (progress: TranscriptionProgress) => void
  /** Finished windows of an earlier attempt are taken from here, so that at most the window at work is repeated. */
  checkpoint?: Checkpoint
}

/** An engine that outlives the call and keeps its model loaded, or CPU threads for one of the call's own, which it closes. */
type EngineChoice = { engine: SpeechEngine } | { engine?: undefined; threads: number }

export type TranscribeOptions = CommonOptions & SeparationOptions & EngineChoice

/** After so many failed windows in a row the fault is not in a window. */
const maxConsecutiveFailures = 3

/**
 * Transcribes a decoded recording: each channel by itself, in windows packed from its speech, merged by time. A window that kills
 * the engine twice or that it refuses is left out with a warning, so that one bad passage does not lose an hour; three such windows
 * in a row, or no window that succeeds, fail the work. Other failures: `job_cancelled`, `model_unavailable`, `unsupported_language`.
 * No child process is left, however it ends, unless `engine` holds one.
 */
export async function transcribeRecording(
  decoded: DecodedAudio,
  options: TranscribeOptions,
): Promise<TranscriptionResult> {
  const { checkpoint, model, modelsByLanguage, languageFaults, names, signal } = options
  const engine = options.engine === undefined ? createSpeechEngine({ threads: options.threads }) : options.engine
  try {
    const saved = new Map(((await checkpoint?.load()) ?? []).map((result) => [result.key, result]))
    const models = { model, modelsByLanguage, languageFaults }
    const work: Work = { decoded, engine, saved, ...models, prompt: promptOf(names), signal, options }
    const { plans, separationWarnings } = await planRecording(work)
    const { results, failed } = await transcribeWindows(plans, work)
    const result = buildResult(decoded, plans, {
      model,
      provenance: describeProvenance(plans, { results, names }),
      results,
      warnings: [...collectWarnings({ decoded, plans, results, failed, model }), ...separationWarnings],
    })
    return { ...result, warnings: [...result.warnings, ...scriptWarnings(result)] }
  } finally {
    if (engine !== options.engine) await engine.close()
  }
}

/** Names as a prompt that Whisper takes for text just before. */
function promptOf(names: string[] = []): string {
  return names.length > 0 ? `${names.join(', ')}.` : ''
}

interface Work extends PlanContext {
  options: TranscribeOptions
}

/** Finds speech and voices, then decides what is asked of which model. */
async function planRecording(
  work: Work,
): Promise<{ plans: ChannelPlan[]; separationWarnings: TranscriptionWarning[] }> {
  const { decoded, signal, options } = work
  const spans = await detectSpeech(decoded, { signal })
  const { voices, warnings } = await separateVoices(decoded, spans, {
    ...options,
    onProgress: (share) => options.onProgress?.(stageProgress(share, 'speakers')),
  })
  const plans: ChannelPlan[] = []
  for (const channel of listChannels(decoded, { spans, voices, languages: [options.language].flat() })) {
    plans.push(await planChannel(channel, work))
  }
  return { plans, separationWarnings: warnings }
}

async function transcribeWindows(
  plans: ChannelPlan[],
  work: Work,
): Promise<{ results: SpokenWindow[]; failed: PlannedWindow[] }> {
  const { saved, options } = work
  const order = orderWindows(plans.flatMap(({ windows }) => windows))
  const results: SpokenWindow[] = []
  const failed: PlannedWindow[] = []
  let failuresInARow = 0

  const report = (latest?: SpokenWindow) => {
    const done = results.length + failed.length
    options.onProgress?.(buildProgress(plans, { done, total: order.length, results, latest }))
  }

  report()
  const limit = await countParallelWindows(order, work)
  const outcomes = mapInOrder(order, { limit, signal: options.signal }, async (planned, signal) => {
    if (signal.aborted) throw cancellationError(signal)
    return saved.get(planned.key) ?? transcribeWindow(planned, plans, work, signal)
  })
  for await (const { item: planned, settled } of outcomes) {
    if (settled.status === 'fulfilled') {
      const turns = plans.find(({ channel }) => channel === planned.channel)?.voices?.turns ?? null
      const spoken = withVoices(settled.value, planned.channel, turns)
      results.push(spoken)
      failuresInARow = 0
      report(spoken)
    } else {
      if (!isWindowFailure(settled.reason)) throw settled.reason
      failed.push(planned)
      failuresInARow += 1
      if (failuresInARow >= maxConsecutiveFailures || failed.length === order.length) throw giveUp(settled.reason)
      report()
    }
  }
  return { results, failed }
}

/** How many windows the engine takes at once; the model of the first that is not finished says so. */
async function countParallelWindows(order: PlannedWindow[], { saved, engine, signal }: Work): Promise<number> {
  const first = order.find(({ key }) => !saved.has(key))
  if (!first) return 1
  const { capabilities } = await engine.use(first.model, { signal })
  return capabilities.parallelWindows ?? 1
}

async function transcribeWindow(
  planned: PlannedWindow,
  plans: ChannelPlan[],
  { decoded, engine, prompt, options: { checkpoint } }: Work,
  signal: AbortSignal,
): Promise<WindowResult> {
  const { channel, index, key, model, language, languageProbability } = planned
  const engines = new Set<string>()
  const backend = noteEngines(await engine.use(model, { signal }), engines)
  const frames = plans.find((plan) => plan.channel === channel)?.frames ?? new Float32Array()
  const { lines, gaps } = await transcribeLines(planned, { decoded, frames, backend, prompt, signal })
  const facts = { key, channel, index, language, languageProbability, engines: [...engines] }
  const result: WindowResult = { ...facts, lines, gaps }
  await checkpoint?.save(result)
  return result
}

function giveUp(error: unknown): AppError {
  if (error instanceof AppError) return error
  return new AppError('internal', 'The speech engine could not transcribe this recording.', { cause: error })
}
