import { frameMs } from '#engine/audio/decoded-audio.ts'
import type { SpeechSpan } from '#engine/audio/speech-span.ts'
import { cutWindows } from './channel-plan.ts'
import type { Channel, ChannelPlan, CutWindow, PlannedWindow } from './channel-plan.ts'
import { compareTexts, type UncertainWindow } from './compare-texts.ts'
import { detectLanguages, spanOf } from './detect-languages.ts'
import { modelFor, planSilent } from './plan-context.ts'
import type { PlanContext } from './plan-context.ts'
import {
  findCertainLanguage,
  isLongEnough,
  possibleLanguages,
  rankBySurroundings,
  rankLanguages,
  type DetectedLanguage,
  type LanguageEvidence,
} from './rank-languages.ts'
import { splitUtterances } from './split-utterances.ts'
import type { Utterance } from './window-result.ts'

/**
 * Plans each utterance in the language detected in it. Neighbors in the same language share windows, because the model recognizes words
 * better in the middle of a passage.
 */
export async function planMultilingual(channel: Channel, context: PlanContext): Promise<ChannelPlan> {
  const { frames } = channel
  const spans = splitUtterances(channel.spans, frames)
  const utterances = cutWindows({ ...channel, spans }, { ...context.model, oneSpanPerWindow: true }, context)
  if (utterances.length === 0) return planSilent(channel)
  const passages: Utterance[][] = []
  for (const utterance of await detectUtterances(utterances, context)) {
    const last = passages.at(-1)
    if (last?.[0]?.language === utterance.language) last.push(utterance)
    else passages.push([utterance])
  }
  const windows: PlannedWindow[] = []
  for (const [at, own] of passages.entries()) {
    const language = own[0]?.language ?? 'en'
    const model = modelFor(language, context)
    const languageProbability = own.reduce((sum, { probability }) => sum + probability, 0) / own.length
    const bounds = boundsOf(own, { before: passages[at - 1]?.at(-1), after: passages[at + 1]?.[0], frames })
    const cut = cutWindows({ ...channel, spans: own }, model, { ...context, bounds, firstIndex: windows.length })
    for (const window of cut) {
      const inside = own.filter(
        ({ startMs, endMs }) => startMs < spanOf(window.window).endMs && endMs > spanOf(window.window).startMs,
      )
      windows.push({ ...window, language, languageProbability, model, utterances: inside })
    }
  }
  return { ...channel, ...mainLanguage(windows), otherLanguages: [], windows }
}

/** Returns the language of each utterance: as detected by an earlier attempt if there is one, otherwise as the model detects it now. */
async function detectUtterances(utterances: CutWindow[], context: PlanContext): Promise<Utterance[]> {
  const possible = possibleLanguages(context.model, { ...context.modelsByLanguage, ...context.languageErrors })
  const [first] = utterances
  const saved = [...context.saved.values()].filter(({ channel }) => channel === first?.channel)
  const earlier = new Map(saved.flatMap((result) => result.utterances.map((each) => [placeOf(each), each] as const)))
  const isKnown = ({ window }: CutWindow) => earlier.has(placeOf(spanOf(window)))
  const pending = utterances.filter((utterance) => !isKnown(utterance))
  const evidence = await detectLanguages(pending, context)
  const channelShares = rankLanguages(evidence, possible)
  const detected = await decideLanguages(pending, { evidence, channelShares, possible, context })
  return utterances.map((utterance) => {
    const span = spanOf(utterance.window)
    const { language, probability } = detected.get(utterance) ?? { language: possible[0] ?? 'en', probability: 0 }
    return earlier.get(placeOf(span)) ?? { ...span, language, probability }
  })
}

interface Detection {
  /** The evidence for each utterance, in the order of the utterances. */
  evidence: LanguageEvidence[]
  channelShares: DetectedLanguage[]
  possible: readonly string[]
  context: PlanContext
}

/**
 * Returns the language of each utterance: the detected one if that is certain, or else the one whose text is the most probable. For a word
 * or two, or if the text decides nothing, it is the detection weighted by the share of each language in the channel.
 */
async function decideLanguages(
  utterances: CutWindow[],
  { evidence, channelShares, possible, context }: Detection,
): Promise<Map<CutWindow, DetectedLanguage>> {
  const decided = new Map<CutWindow, DetectedLanguage>()
  const uncertain: UncertainWindow[] = []
  for (const [at, window] of utterances.entries()) {
    const own = evidence[at]
    if (!own) continue
    const ranked = rankBySurroundings(own, channelShares, possible)
    const language = findCertainLanguage(own, possible) ?? ranked[0]
    if (language) decided.set(window, language)
    if (!findCertainLanguage(own, possible) && isLongEnough(own)) uncertain.push({ window, ranked })
  }
  const texts = await compareTexts(uncertain, context)
  for (const [at, { window }] of uncertain.entries()) {
    const language = texts[at]
    if (language) decided.set(window, language)
  }
  return decided
}

function placeOf({ startMs, endMs }: SpeechSpan): string {
  return `${startMs}-${endMs}`
}

/** Returns the passage that reaches halfway to its neighbors, whose sound would be taken for words in this passage's language. */
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
