import { AppError } from '#contract/app-error.ts'
import type { DecodedAudio } from '#engine/audio/decoded-audio.ts'
import { readWindow } from '#engine/audio/windows.ts'
import type { SpeechModel } from '#engine/models/model-entry.ts'
import { cutWindows, requireLanguage } from './channel-plan.ts'
import type { Channel, ChannelPlan, CutWindow, PlannedWindow } from './channel-plan.ts'
import { mapInOrder } from './map-in-order.ts'
import { possibleLanguages, rankLanguages, rankWindowLanguage } from './rank-languages.ts'
import type { DetectedLanguage, LanguageEvidence } from './rank-languages.ts'
import type { SpeechEngine } from './speech-engine.ts'
import type { WindowResult } from './window-result.ts'

export interface PlanContext {
  decoded: DecodedAudio
  engine: SpeechEngine
  /** Finished windows of an earlier attempt, by key. */
  saved: Map<string, WindowResult>
  model: SpeechModel
  modelsByLanguage?: Partial<Record<string, SpeechModel>>
  /** Why a language cannot be transcribed although it may be heard, by code. */
  languageFaults?: Partial<Record<string, AppError>>
  prompt?: string
  signal?: AbortSignal
}

/** The language of a channel is told from so many windows, spread over the recording. */
const maxSamples = 4
/** A window of at least this length that is in another language with this probability, and hardly in the channel's, is told. */
const minChangeMs = 5000
const minChangeProbability = 0.9
const maxOwnProbability = 0.05

/** Decides what is asked of which model: the language given, or the one heard in the channel or in each of its parts. */
export async function planChannel(channel: Channel, context: PlanContext): Promise<ChannelPlan> {
  if (channel.languageChoice === 'multi') return planParts(channel, context)
  if (channel.languageChoice === 'auto') return planDetected(channel, context)
  const plan = planIn(channel, { language: channel.languageChoice, probability: null }, context)
  requireLanguage(modelFor(channel.languageChoice, context), channel.languageChoice)
  return plan
}

/** Throws what is wrong with the model of that language: no other takes its place. */
function modelFor(language: string, { model, modelsByLanguage, languageFaults }: PlanContext): SpeechModel {
  const fault = languageFaults?.[language]
  if (fault) throw fault
  return modelsByLanguage?.[language] ?? model
}

/** The whole channel in one language. */
function planIn(
  channel: Channel,
  { language, probability }: { language: string; probability: number | null },
  context: PlanContext,
): ChannelPlan {
  const model = modelFor(language, context)
  const windows = cutWindows(channel, model, context.prompt).map((window) => ({
    ...window,
    language,
    languageProbability: probability,
    model,
  }))
  return { ...channel, language, languageProbability: probability, otherLanguages: [], windows }
}

async function planDetected(channel: Channel, context: PlanContext): Promise<ChannelPlan> {
  // An earlier attempt has told the language if one of its windows is a window of the plan that language leads to.
  for (const { key, language, languageProbability } of context.saved.values()) {
    const earlier = planIn(channel, { language, probability: languageProbability }, context)
    if (earlier.windows.some((window) => window.key === key)) return earlier
  }
  const samples = spread(cutWindows(channel, context.model, context.prompt), maxSamples)
  const heard = await listen(samples, context)
  const possible = possibleLanguages(context.model, { ...context.modelsByLanguage, ...context.languageFaults })
  const [best] = rankLanguages(heard, possible)
  if (heard.length === 0 || !best) return silent(channel)
  const otherLanguages = samples.flatMap(({ window }, index) => {
    const evidence = heard[index]
    const ranked = evidence ? rankLanguages([evidence], possible) : []
    return isChange(ranked, best.language) && window.durationMs >= minChangeMs
      ? [{ language: ranked[0]?.language ?? '', ...spanOf(window) }]
      : []
  })
  return { ...planIn(channel, best, context), otherLanguages }
}

function silent(channel: Channel): ChannelPlan {
  return { ...channel, language: null, languageProbability: null, otherLanguages: [], windows: [] }
}

/** Each part in the language heard in it. */
async function planParts(channel: Channel, context: PlanContext): Promise<ChannelPlan> {
  const parts = cutWindows(channel, context.model, context.prompt)
  if (parts.length === 0) return silent(channel)
  const possible = possibleLanguages(context.model, { ...context.modelsByLanguage, ...context.languageFaults })
  const open = parts.filter(({ key }) => !context.saved.has(key))
  const heard = new Map((await listen(open, context)).map((evidence, index) => [open[index]?.key, evidence]))
  const channelShares = rankLanguages([...heard.values()], possible)
  const windows = parts.map((part): PlannedWindow => {
    const evidence = heard.get(part.key)
    const earlier = context.saved.get(part.key)
    const told = evidence && rankWindowLanguage(evidence, channelShares, possible)
    const language = earlier?.language ?? told?.language ?? possible[0] ?? 'en'
    const languageProbability = earlier?.languageProbability ?? told?.probability ?? null
    return { ...part, language, languageProbability, model: modelFor(language, context) }
  })
  return { ...channel, ...mainLanguage(windows), otherLanguages: [], windows }
}

/** The language most of the sound is in, with the mean certainty of its parts. */
function mainLanguage(windows: PlannedWindow[]): Pick<ChannelPlan, 'language' | 'languageProbability'> {
  const [main] = rankLanguages(
    windows.map(({ language, window }) => ({ probabilities: { [language]: 1 }, durationMs: window.durationMs })),
    [...new Set(windows.map(({ language }) => language))],
  )
  const own = windows.filter(({ language }) => language === main?.language)
  const sum = own.reduce((total, { languageProbability }) => total + (languageProbability ?? 0), 0)
  return { language: main?.language ?? null, languageProbability: own.length > 0 ? sum / own.length : null }
}

async function listen(
  windows: CutWindow[],
  { decoded, engine, model, signal }: PlanContext,
): Promise<LanguageEvidence[]> {
  if (windows.length === 0) return []
  const { capabilities } = await engine.use(model, { signal })
  if (!capabilities.hasLanguageDetection) throw cannotDetect(model)
  const limit = capabilities.parallelWindows ?? 1
  const outcomes = mapInOrder(windows, { limit, signal }, async ({ channel, window }, windowSignal) => {
    const backend = await engine.use(model, { signal: windowSignal })
    return backend.detectLanguages(await readWindow(decoded, channel, window), { signal: windowSignal })
  })
  const heard: LanguageEvidence[] = []
  for await (const { item, settled } of outcomes) {
    if (settled.status === 'rejected') throw settled.reason
    heard.push({ probabilities: settled.value, durationMs: item.window.durationMs })
  }
  return heard
}

function cannotDetect(model: SpeechModel): AppError {
  return new AppError('unsupported_language', `The speech model ${model.name} cannot tell which language is spoken.`, {
    help: 'Choose the language of the recording.',
  })
}

/** Up to `count` items at even distances, the longest windows of their neighbourhood. */
function spread(windows: CutWindow[], count: number): CutWindow[] {
  if (windows.length <= count) return windows
  return Array.from({ length: count }, (_, index) => {
    const from = Math.floor((index * windows.length) / count)
    const to = Math.floor(((index + 1) * windows.length) / count)
    const [longest] = windows.slice(from, to).toSorted((a, b) => b.window.durationMs - a.window.durationMs)
    return longest
  }).filter((window) => window !== undefined)
}

function isChange(ranked: DetectedLanguage[], own: string): boolean {
  const [first] = ranked
  const ownProbability = ranked.find(({ language }) => language === own)?.probability ?? 0
  return first !== undefined && first.probability >= minChangeProbability && ownProbability <= maxOwnProbability
}

function spanOf({ pieces }: CutWindow['window']): { startMs: number; endMs: number } {
  return { startMs: pieces[0]?.speechStartMs ?? 0, endMs: pieces.at(-1)?.speechEndMs ?? 0 }
}
