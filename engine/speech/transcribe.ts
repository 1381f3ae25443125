import { AppError } from '#contract/app-error.ts'
import type { TranscriptionLanguageChoice } from '#contract/languages.ts'
import type { TranscriptionProgress, TranscriptionResult } from '#contract/transcription.ts'
import type { DecodedAudio } from '#engine/audio/decoded-audio.ts'
import { readWindow } from '#engine/audio/windows.ts'
import { ChildMethodError } from '#engine/child/child-error.ts'
import { cancelled } from '#engine/child/child-process.ts'
import type { SpeechModel } from '#engine/models/model-entry.ts'
import { detectChannelLanguage } from './channel-language.ts'
import { listChannels, planWindows, requireLanguage } from './channel-plan.ts'
import type { Channel, ChannelPlan, PlannedWindow } from './channel-plan.ts'
import { mergeSame, shortenRepetition } from './repetition.ts'
import { buildProgress, buildResult } from './result.ts'
import { createSpeechEngine } from './speech-engine.ts'
import type { SpeechEngine } from './speech-engine.ts'
import { collectWarnings, scriptWarnings } from './warnings.ts'
import type { Checkpoint, WindowResult } from './window-result.ts'
import { toTimedTexts } from './window-text.ts'

interface CommonOptions {
  /** One language for all channels, or one for each, left first; `auto` lets the model tell, for each channel by itself. */
  language: TranscriptionLanguageChoice | readonly TranscriptionLanguageChoice[]
  model: SpeechModel
  /** Models that are better for one language, by its code; `model` detects languages and serves all others. */
  modelsByLanguage?: Partial<Record<string, SpeechModel>>
  signal?: AbortSignal
  /** Called once when the number of windows is known and then after each window. */
  onProgress?: (progress: TranscriptionProgress) => void
  /** Finished windows of an earlier attempt are taken from here, so that at most the window at work is repeated. */
  checkpoint?: Checkpoint
}

/** Whisper that outlives the call and keeps its model loaded, or CPU threads for one of the call's own, which it closes. */
type EngineChoice = { engine: SpeechEngine } | { engine?: undefined; threads: number }

export type TranscribeOptions = CommonOptions & EngineChoice

/** After so many failed windows in a row the fault is not in a window. */
const mostFailuresInARow = 3

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
  const { checkpoint } = options
  const engine = options.engine === undefined ? createSpeechEngine({ threads: options.threads }) : options.engine
  try {
    const saved = new Map(((await checkpoint?.load()) ?? []).map((result) => [result.key, result]))
    const plans: ChannelPlan[] = []
    for (const channel of listChannels(decoded, [options.language].flat())) {
      plans.push(await planChannel(channel, { decoded, engine, saved, options }))
    }
    const { results, failed } = await hearWindows(plans, { decoded, engine, saved, options })
    const result = buildResult(decoded, plans, {
      results,
      warnings: collectWarnings({ decoded, plans, results, failed }),
    })
    return { ...result, warnings: [...result.warnings, ...scriptWarnings(result)] }
  } finally {
    if (engine !== options.engine) await engine.close()
  }
}

interface Work {
  decoded: DecodedAudio
  engine: SpeechEngine
  saved: Map<string, WindowResult>
  options: TranscribeOptions
}

async function planChannel(channel: Channel, { decoded, engine, saved, options }: Work): Promise<ChannelPlan> {
  const { model, modelsByLanguage, signal } = options
  const plan = (language: string | null, languageProbability: number | null): ChannelPlan => {
    const chosen = (language && modelsByLanguage?.[language]) || model
    return { ...channel, language, languageProbability, model: chosen, windows: planWindows(channel, chosen) }
  }
  if (channel.languageChoice !== 'auto') {
    const given = plan(channel.languageChoice, null)
    requireLanguage(given.model, channel.languageChoice)
    return given
  }
  // An earlier attempt has told the language if one of its windows is a window of the plan that language leads to.
  for (const { key, language, languageProbability } of saved.values()) {
    const earlier = plan(language, languageProbability)
    if (earlier.windows.some((window) => window.key === key)) return earlier
  }
  const detected = await detectChannelLanguage(channel, { decoded, engine, model, signal })
  return plan(detected?.language ?? null, detected?.probability ?? null)
}

async function hearWindows(
  plans: ChannelPlan[],
  work: Work,
): Promise<{ results: WindowResult[]; failed: PlannedWindow[] }> {
  const { saved, options } = work
  const order = orderWindows(plans)
  const results: WindowResult[] = []
  const failed: PlannedWindow[] = []
  let failuresInARow = 0

  const report = (latest?: WindowResult) => {
    const done = results.length + failed.length
    options.onProgress?.(buildProgress(plans, { done, total: order.length, results, latest }))
  }

  report()
  for (const { plan, planned } of order) {
    if (options.signal?.aborted) throw cancelled(options.signal)
    try {
      const result = saved.get(planned.key) ?? (await hearWindow(plan, planned, work))
      results.push(result)
      failuresInARow = 0
      report(result)
    } catch (error) {
      if (!isWindowFailure(error)) throw error
      failed.push(planned)
      failuresInARow += 1
      if (failuresInARow >= mostFailuresInARow || failed.length === order.length) throw giveUp(error)
      report()
    }
  }
  return { results, failed }
}

/** In order of time, so that the text so far reads as a conversation; but each model's windows together, as one is in memory. */
function orderWindows(plans: ChannelPlan[]): { plan: ChannelPlan; planned: PlannedWindow }[] {
  const models = [...new Set(plans.map(({ model }) => model.id))]
  const startMs = ({ window }: PlannedWindow) => window.pieces[0]?.speechStartMs ?? 0
  return plans
    .flatMap((plan) => plan.windows.map((planned) => ({ plan, planned })))
    .toSorted(
      (a, b) =>
        models.indexOf(a.plan.model.id) - models.indexOf(b.plan.model.id) || startMs(a.planned) - startMs(b.planned),
    )
}

async function hearWindow(
  { model, language, languageProbability }: ChannelPlan,
  { channel, index, window, key }: PlannedWindow,
  { decoded, engine, options: { signal, checkpoint } }: Work,
): Promise<WindowResult> {
  if (language === null) throw new AppError('internal', 'A window was planned without a language.')
  const whisper = await engine.use(model, { signal })
  const raw = await whisper.transcribe(await readWindow(decoded, channel, window), { language, signal })
  const texts = toTimedTexts(raw, window)
  // What hears one utterance a call sometimes goes back and hears the same one again: no loop, and nothing to warn of.
  const heard = shortenRepetition(model.oneSpanPerWindow ? mergeSame(texts, 1) : texts)
  const result: WindowResult = { key, channel, index, language, languageProbability, ...heard }
  await checkpoint?.save(result)
  return result
}

function isWindowFailure(error: unknown): boolean {
  return error instanceof ChildMethodError || (error instanceof AppError && error.code === 'internal')
}

function giveUp(error: unknown): AppError {
  if (error instanceof AppError) return error
  return new AppError('internal', 'The speech engine could not transcribe this recording.', { cause: error })
}
