import { assertSupportsLanguage, cutWindows } from './channel-plan.ts'
import type { Channel, ChannelPlan, CutWindow } from './channel-plan.ts'
import { compareTexts } from './compare-texts.ts'
import { detectLanguages, spanOf } from './detect-languages.ts'
import { modelFor, planSilent } from './plan-context.ts'
import type { PlanContext } from './plan-context.ts'
import { planMultilingual } from './plan-multilingual.ts'
import { findCertainLanguage, isLongEnough, possibleLanguages, rankLanguages } from './rank-languages.ts'
import type { DetectedLanguage, LanguageEvidence } from './rank-languages.ts'

/** The language of a channel is detected in at most this many windows, which are spread over the recording. */
const maxDetectionWindows = 4
/** Another language is reported for windows of this minimum length if it has this probability and the channel's language has hardly any. */
const minChangeMs = 5000
const minChangeProbability = 0.9
const maxOwnProbability = 0.05

/** Plans the windows of a channel, in the given language or in those detected for the channel or for each utterance. */
export async function planChannel(channel: Channel, context: PlanContext): Promise<ChannelPlan> {
  if (channel.languageChoice === 'multi') return planMultilingual(channel, context)
  if (channel.languageChoice === 'auto') return planDetected(channel, context)
  const plan = planMonolingual(channel, { language: channel.languageChoice, probability: null }, context)
  assertSupportsLanguage(modelFor(channel.languageChoice, context), channel.languageChoice)
  return plan
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
  // An earlier attempt already detected the language if one of its windows is part of the plan for that language.
  for (const { key, language, languageProbability } of context.saved.values()) {
    const earlier = planMonolingual(channel, { language, probability: languageProbability }, context)
    if (earlier.windows.some((window) => window.key === key)) return earlier
  }
  const samples = sampleEvenly(cutWindows(channel, context.model, context), maxDetectionWindows)
  const evidence = await detectLanguages(samples, context)
  const possible = possibleLanguages(context.model, { ...context.modelsByLanguage, ...context.languageErrors })
  const ranked = rankLanguages(evidence, possible)
  const best = (await compareShort(samples, evidence, { ranked, context })) ?? ranked[0]
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

/**
 * Returns the language of a channel that has one window with an uncertain detection, judged by its text. The mean of several windows needs
 * no such help, and transcribing them would take much longer.
 */
async function compareShort(
  samples: CutWindow[],
  evidence: LanguageEvidence[],
  { ranked, context }: { ranked: DetectedLanguage[]; context: PlanContext },
): Promise<DetectedLanguage | undefined> {
  const [window, ...others] = samples
  const [own] = evidence
  const possible = ranked.map(({ language }) => language)
  if (!window || !own || others.length > 0 || !isLongEnough(own) || findCertainLanguage(own, possible)) return undefined
  const [language] = await compareTexts([{ window, ranked }], context)
  return language
}

/** Returns up to `count` windows: the longest one in each of `count` equal parts of the channel. */
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
