import { AppError } from '#contract/app-error.ts'
import type { TranscriptionLanguageChoice } from '#contract/languages.ts'
import type { PossibleHit } from '#contract/possible-hits.ts'
import type { TranscriptionProgress, TranscriptionResult, TranscriptionWarning } from '#contract/transcription.ts'
import type { DecodedAudio } from '#engine/audio/decoded-audio.ts'
import { detectSpeech } from '#engine/audio/detector/detect-speech.ts'
import { cancellationError } from '#engine/child/child-process.ts'
import type { SpeechModel } from '#engine/models/model-entry.ts'
import { listChannels } from './channel-plan.ts'
import type { ChannelPlan, PlannedWindow } from './channel-plan.ts'
import { listPossibleHits } from './nearly-heard/possible-hits.ts'
import { mapInOrder } from './map-in-order.ts'
import { planChannel } from './plan-channel.ts'
import type { PlanContext } from './plan-context.ts'
import { describeProvenance, recordEngines } from './provenance.ts'
import { orderWindows } from './order-windows.ts'
import { buildProgress, buildResult, stageProgress } from './result.ts'
import { separateVoices } from './separate-voices.ts'
import type { SeparationOptions } from './separate-voices.ts'
import { createSpeechBackendCache } from './speech-backend-cache.ts'
import type { SpeechBackendCache } from './speech-backend-cache.ts'
import { createWindowTimeLeft } from './window-time-left.ts'
import { attributeVoices } from './voice-lines.ts'
import type { AttributedWindow } from './voice-lines.ts'
import { collectWarnings, scriptWarnings } from './warnings.ts'
import { isWindowFailure, recognizeAgain, transcribeLines } from './window-lines.ts'
import { createListedWordCorrector, type ListedWordCorrector } from './word-lists/listed-words.ts'
import type { UsedWordList } from './word-lists/used-word-list.ts'
import type { Checkpoint, WindowResult } from './window-result.ts'

interface CommonOptions {
  /**
   * One language for all channels, or one per channel, left first; `auto` detects the language of each channel, and `multi` that of each
   * window.
   */
  language: TranscriptionLanguageChoice | readonly TranscriptionLanguageChoice[]
  model: SpeechModel
  /** Models for one language each, by code; `model` detects languages and transcribes all other languages. */
  modelsByLanguage?: Partial<Record<string, SpeechModel>>
  /** By language code, the error for a recording in a language that may be detected but cannot be transcribed. */
  languageErrors?: Partial<Record<string, AppError>>
  /** Names that are likely to occur. None by default: a prompt of ordinary words makes some languages much worse. */
  names?: string[]
  /**
   * Words to be written as they are listed, the most important list first. None by default. They prompt a second recognition of windows
   * with doubtful words, which decides only on listed words: its other changes are ignored.
   */
  wordLists?: readonly UsedWordList[]
  /** Returns the keywords to look for among what was nearly heard in a language; if omitted, there are no possible hits. */
  keywordsOf?: (language: string) => readonly string[]
  signal?: AbortSignal
  /** Called during diarization, once when the number of windows is known and then after each window. */
  onProgress?: (progress: TranscriptionProgress) => void
  /** Finished windows of an earlier attempt, so that only the windows in progress are repeated. */
  checkpoint?: Checkpoint
}

/** Backends that outlive the call and keep their model loaded, or the CPU threads for backends that the call itself starts and closes. */
type BackendChoice = { backends: SpeechBackendCache } | { backends?: undefined; threads: number }

export type TranscribeOptions = CommonOptions & SeparationOptions & BackendChoice

/** A transcription and, separate from it, the keywords that may have been said. */
export interface TranscribedRecording extends TranscriptionResult {
  /** In order of time. Absent if none were looked for, because this was not requested or the engine cannot do it. */
  possible_hits?: PossibleHit[]
}

/** After this many consecutive failures, the cause is not in the windows. */
const maxConsecutiveFailures = 3

/**
 * Transcribes a decoded recording: each channel separately, in windows packed from its speech, merged by time. A window that crashes the
 * engine twice or that the engine rejects is skipped with a warning, so that one bad passage does not lose an hour. Throws if three such
 * windows follow each other or none succeeds, and throws `job_cancelled`, `model_unavailable` or `unsupported_language`. Never leaves a
 * child process running, unless `backends` keeps one.
 */
export async function transcribeRecording(
  decoded: DecodedAudio,
  options: TranscribeOptions,
): Promise<TranscribedRecording> {
  const { checkpoint, model, modelsByLanguage, languageErrors, names, wordLists, signal } = options
  const backends =
    options.backends === undefined ? createSpeechBackendCache({ threads: options.threads }) : options.backends
  try {
    const saved = new Map(((await checkpoint?.load()) ?? []).map((result) => [result.key, result]))
    const models = { model, modelsByLanguage, languageErrors }
    const listed = createListedWordCorrector(wordLists)
    const work: Work = { decoded, backends, saved, ...models, prompt: toPrompt(names), signal, options, listed }
    const { plans, separationWarnings } = await planRecording(work)
    const { results, failed } = await transcribeWindows(plans, work)
    const result = buildResult(decoded, plans, {
      model,
      provenance: describeProvenance(plans, { results, names, wordLists }),
      results,
      warnings: [...collectWarnings({ decoded, plans, results, failed, model }), ...separationWarnings],
    })
    const possibleHits = results.some(({ isSearched }) => isSearched) && listPossibleHits(results, plans.length > 1)
    return {
      ...result,
      warnings: [...result.warnings, ...scriptWarnings(result)],
      ...(possibleHits && { possible_hits: possibleHits }),
    }
  } finally {
    if (backends !== options.backends) await backends.close()
  }
}

/** Returns the names as an initial prompt, which Whisper treats as preceding text. */
function toPrompt(names: string[] = []): string {
  return names.length > 0 ? `${names.join(', ')}.` : ''
}

interface Work extends PlanContext {
  listed: ListedWordCorrector
  options: TranscribeOptions
}

/** Detects speech and voices, then plans the windows of each channel. */
async function planRecording(
  work: Work,
): Promise<{ plans: ChannelPlan[]; separationWarnings: TranscriptionWarning[] }> {
  const { decoded, signal, options } = work
  const { spans, bleed } = await detectSpeech(decoded, { signal })
  const { voices, warnings } = await separateVoices(decoded, spans, {
    ...options,
    onProgress: (share) => options.onProgress?.(stageProgress(share, 'speakers')),
  })
  const plans: ChannelPlan[] = []
  for (const channel of listChannels(decoded, { spans, bleed, voices, languages: [options.language].flat() })) {
    plans.push(await planChannel(channel, work))
  }
  return { plans, separationWarnings: warnings }
}

async function transcribeWindows(
  plans: ChannelPlan[],
  work: Work,
): Promise<{ results: AttributedWindow[]; failed: PlannedWindow[] }> {
  const { saved, options } = work
  const order = orderWindows(plans.flatMap(({ windows }) => windows))
  const results: AttributedWindow[] = []
  const failed: PlannedWindow[] = []
  let consecutiveFailures = 0

  const timeLeft = createWindowTimeLeft(order.filter(({ key }) => !saved.has(key)))
  const report = (latest?: AttributedWindow) => {
    const done = results.length + failed.length
    const secondsLeft = timeLeft.seconds()
    options.onProgress?.(buildProgress(plans, { done, total: order.length, results, latest, secondsLeft }))
  }

  report()
  const timedWork = { ...work, backends: timeLeft.measureLoading(work.backends) }
  const limit = await countParallelWindows(order, timedWork)
  const outcomes = mapInOrder(order, { limit, signal: options.signal }, async (planned, signal) => {
    if (signal.aborted) throw cancellationError(signal)
    return saved.get(planned.key) ?? transcribeWindow(planned, plans, timedWork, signal)
  })
  for await (const { item: planned, settled } of outcomes) {
    timeLeft.finish(planned)
    if (settled.status === 'fulfilled') {
      const turns = plans.find(({ channel }) => channel === planned.channel)?.voices?.turns ?? null
      const attributed = work.listed.correct(attributeVoices(settled.value, planned.channel, turns))
      results.push(attributed)
      consecutiveFailures = 0
      report(attributed)
    } else {
      if (!isWindowFailure(settled.reason)) throw settled.reason
      failed.push(planned)
      consecutiveFailures += 1
      if (consecutiveFailures >= maxConsecutiveFailures || failed.length === order.length)
        throw toFinalError(settled.reason)
      report()
    }
  }
  return { results, failed }
}

/** Returns how many windows the engine transcribes in parallel, given the model of the first unfinished window. */
async function countParallelWindows(order: PlannedWindow[], { saved, backends, signal }: Work): Promise<number> {
  const first = order.find(({ key }) => !saved.has(key))
  if (!first) return 1
  const { capabilities } = await backends.use(first.model, { signal })
  return capabilities.parallelWindows ?? 1
}

async function transcribeWindow(
  planned: PlannedWindow,
  plans: ChannelPlan[],
  { decoded, backends, prompt, listed, options: { checkpoint, names = [], keywordsOf } }: Work,
  signal: AbortSignal,
): Promise<WindowResult> {
  const { channel, index, key, model, language, languageProbability, utterances = [] } = planned
  const engines = new Set<string>()
  const backend = recordEngines(await backends.use(model, { signal }), engines)
  const frames = plans.find((plan) => plan.channel === channel)?.frames ?? new Float32Array()
  const keywords = backend.capabilities.hasNearlyHeard ? keywordsOf?.(language) : undefined
  const found = await transcribeLines(planned, { decoded, frames, backend, prompt, keywords, signal })
  const promptedWords = await listed.hear(found.lines, (words) =>
    recognizeAgain(planned, { decoded, frames, backend, prompt: toPrompt([...words, ...names]), signal }),
  )
  const facts = {
    key,
    channel,
    index,
    language,
    languageProbability,
    utterances,
    engines: [...engines],
    ...(keywords && { isSearched: true as const }),
  }
  const result: WindowResult = { ...facts, ...found, promptedWords }
  await checkpoint?.save(result)
  return result
}

function toFinalError(error: unknown): AppError {
  if (error instanceof AppError) return error
  return new AppError('internal', 'The speech engine could not transcribe this recording.', { cause: error })
}
