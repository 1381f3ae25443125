import { AppError } from '#contract/app-error.ts'
import { frameMs } from '#engine/audio/decoded-audio.ts'
import type { DecodedAudio } from '#engine/audio/decoded-audio.ts'
import type { SpeechSpan } from '#engine/audio/speech-span.ts'
import { readWindow } from '#engine/audio/windows.ts'
import type { SpeechModel } from '#engine/models/model-entry.ts'
import { assertSupportsLanguage, cutWindows } from './channel-plan.ts'
import type { Channel, ChannelPlan, CutWindow, PlannedWindow } from './channel-plan.ts'
import { mapInOrder } from './map-in-order.ts'
import { possibleLanguages, rankLanguages, rankWindowLanguage } from './rank-languages.ts'
import type { DetectedLanguage, LanguageEvidence } from './rank-languages.ts'
import type { SpeechBackendCache } from './speech-backend-cache.ts'
import { splitUtterances } from './split-utterances.ts'
import type { WindowResult } from './window-result.ts'

export interface PlanContext {
  decoded: DecodedAudio
  backends: SpeechBackendCache
  /** Finished windows of an earlier attempt, by key. */
  saved: Map<string, WindowResult>
  model: SpeechModel
  modelsByLanguage?: Partial<Record<string, SpeechModel>>
  /** By language code: why a language that may be detected cannot be transcribed. */
  languageErrors?: Partial<Record<string, AppError>>
  prompt?: string
  signal?: AbortSignal
}

/** The language of a channel is detected in at most this many windows, spread over the recording. */
const maxDetectionWindows = 4
/** Another language is reported for windows of this minimum length, if it has this probability and the channel's has hardly any. */
const minChangeMs = 5000
const minChangeProbability = 0.9
const maxOwnProbability = 0.05

/** Plans the windows of a channel, in the given language or in the ones detected for the channel or for each window. */
export async function planChannel(channel: Channel, context: PlanContext): Promise<ChannelPlan> {
  if (channel.languageChoice === 'multi') return planMultilingual(channel, context)
  if (channel.languageChoice === 'auto') return planDetected(channel, context)
  const plan = planMonolingual(channel, { language: channel.languageChoice, probability: null }, context)
  assertSupportsLanguage(modelFor(channel.languageChoice, context), channel.languageChoice)
  return plan
}

/** Returns the model for a language. Throws the error of that model if it cannot be used: no other one replaces it. */
function modelFor(language: string, { model, modelsByLanguage, languageErrors }: PlanContext): SpeechModel {
  const error = languageErrors?.[language]
  if (error) throw error
  return modelsByLanguage?.[language] ?? model
}

/** Plans the whole channel in one language. */
function planMonolingual(
  channel: Channel,
  { language, probability }: { language: string; probability: number | null },
  context: PlanContext,
): ChannelPlan {
  const model = modelFor(language, context)
  const windows = cutWindows(channel, model, context).map((window) => ({
    ...window,
    language,
    languageProbability: probability,
    model,
  }))
  return { ...channel, language, languageProbability: probability, otherLanguages: [], windows }
}

async function planDetected(channel: Channel, context: PlanContext): Promise<ChannelPlan> {
  // An earlier attempt has detected the language if one of its windows is part of the plan for that language.
  for (const { key, language, languageProbability } of context.saved.values()) {
    const earlier = planMonolingual(channel, { language, probability: languageProbability }, context)
    if (earlier.windows.some((window) => window.key === key)) return earlier
  }
  const samples = sampleEvenly(cutWindows(channel, context.model, context), maxDetectionWindows)
  const evidence = await detectLanguages(samples, context)
  const possible = possibleLanguages(context.model, { ...context.modelsByLanguage, ...context.languageErrors })
  const [best] = rankLanguages(evidence, possible)
  if (evidence.length === 0 || !best) return planSilent(channel)
  const otherLanguages = samples.flatMap(({ window }, index) => {
    const ofWindow = evidence[index]
    const ranked = ofWindow ? rankLanguages([ofWindow], possible) : []
    return isLanguageChange(ranked, best.language) && window.durationMs >= minChangeMs
      ? [{ language: ranked[0]?.language ?? '', ...spanOf(window) }]
      : []
  })
  return { ...planMonolingual(channel, best, context), otherLanguages }
}

function planSilent(channel: Channel): ChannelPlan {
  return { ...channel, language: null, languageProbability: null, otherLanguages: [], windows: [] }
}

/**
 * Plans each utterance in the language detected in it. Neighbours of one language share windows, since the model recognizes words better in
 * the middle of a passage.
 */
async function planMultilingual(channel: Channel, context: PlanContext): Promise<ChannelPlan> {
  const { frames } = channel
  const spans = splitUtterances(channel.spans, frames)
  const utterances = cutWindows({ ...channel, spans }, { ...context.model, oneSpanPerWindow: true }, context)
  if (utterances.length === 0) return planSilent(channel)
  const possible = possibleLanguages(context.model, { ...context.modelsByLanguage, ...context.languageErrors })
  const evidence = await detectLanguages(utterances, context)
  const channelShares = rankLanguages(evidence, possible)
  const passages: { language: string; probabilities: number[]; spans: SpeechSpan[] }[] = []
  for (const [index, { window }] of utterances.entries()) {
    const ofUtterance = evidence[index]
    const detected = ofUtterance && rankWindowLanguage(ofUtterance, channelShares, possible)
    const { language = possible[0] ?? 'en', probability = 0 } = detected ?? {}
    const last = passages.at(-1)
    const passage = last?.language === language ? last : { language, probabilities: [], spans: [] }
    if (passage !== last) passages.push(passage)
    passage.spans.push(spanOf(window))
    passage.probabilities.push(probability)
  }
  const windows: PlannedWindow[] = []
  for (const [at, { language, probabilities, spans: own }] of passages.entries()) {
    const model = modelFor(language, context)
    const languageProbability = probabilities.reduce((sum, value) => sum + value, 0) / probabilities.length
    const bounds = boundsOf(own, { before: passages[at - 1]?.spans.at(-1), after: passages[at + 1]?.spans[0], frames })
    const cut = cutWindows({ ...channel, spans: own }, model, { ...context, bounds, firstIndex: windows.length })
    windows.push(...cut.map((window) => ({ ...window, language, languageProbability, model })))
  }
  return { ...channel, ...mainLanguage(windows), otherLanguages: [], windows }
}

/** Returns the passage that reaches half-way to its neighbours, whose sound would be taken for words of this one's language. */
function boundsOf(
  spans: readonly SpeechSpan[],
  { before, after, frames }: { before?: SpeechSpan; after?: SpeechSpan; frames: Float32Array },
): SpeechSpan {
  const [startMs, endMs] = [spans[0]?.startMs ?? 0, spans.at(-1)?.endMs ?? 0]
  return {
    startMs: before ? (before.endMs + startMs) / 2 : 0,
    endMs: after ? (endMs + after.startMs) / 2 : frames.length * frameMs,
  }
}

/** Returns the language of most of the audio, with the mean probability of its windows. */
function mainLanguage(windows: PlannedWindow[]): Pick<ChannelPlan, 'language' | 'languageProbability'> {
  const [main] = rankLanguages(
    windows.map(({ language, window }) => ({ probabilities: { [language]: 1 }, durationMs: window.durationMs })),
    [...new Set(windows.map(({ language }) => language))],
  )
  const own = windows.filter(({ language }) => language === main?.language)
  const sum = own.reduce((total, { languageProbability }) => total + (languageProbability ?? 0), 0)
  return { language: main?.language ?? null, languageProbability: own.length > 0 ? sum / own.length : null }
}

async function detectLanguages(
  windows: CutWindow[],
  { decoded, backends, model, signal }: PlanContext,
): Promise<LanguageEvidence[]> {
  if (windows.length === 0) return []
  const { capabilities } = await backends.use(model, { signal })
  if (!capabilities.hasLanguageDetection) throw noLanguageDetectionError(model)
  const limit = capabilities.parallelWindows ?? 1
  const outcomes = mapInOrder(windows, { limit, signal }, async ({ channel, window }, windowSignal) => {
    const backend = await backends.use(model, { signal: windowSignal })
    return backend.detectLanguages(await readWindow(decoded, channel, window), { signal: windowSignal })
  })
  const evidence: LanguageEvidence[] = []
  for await (const { item, settled } of outcomes) {
    if (settled.status === 'rejected') throw settled.reason
    evidence.push({ probabilities: settled.value, durationMs: item.window.durationMs })
  }
  return evidence
}

function noLanguageDetectionError(model: SpeechModel): AppError {
  return new AppError('unsupported_language', `The speech model ${model.name} cannot detect the spoken language.`, {
    help: 'Choose the language of the recording.',
  })
}

/** Returns up to `count` windows, the longest one of each of as many equal parts of the channel. */
function sampleEvenly(windows: CutWindow[], count: number): CutWindow[] {
  if (windows.length <= count) return windows
  return Array.from({ length: count }, (_, index) => {
    const from = Math.floor((index * windows.length) / count)
    const to = Math.floor(((index + 1) * windows.length) / count)
    const [longest] = windows.slice(from, to).toSorted((a, b) => b.window.durationMs - a.window.durationMs)
    return longest
  }).filter((window) => window !== undefined)
}

function isLanguageChange(ranked: DetectedLanguage[], own: string): boolean {
  const [first] = ranked
  const ownProbability = ranked.find(({ language }) => language === own)?.probability ?? 0
  return first !== undefined && first.probability >= minChangeProbability && ownProbability <= maxOwnProbability
}

function spanOf({ pieces }: CutWindow['window']): { startMs: number; endMs: number } {
  return { startMs: pieces[0]?.speechStartMs ?? 0, endMs: pieces.at(-1)?.speechEndMs ?? 0 }
}
