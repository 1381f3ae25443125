import { frameMs } from '#engine/audio/decoded-audio.ts'
import type { SpeechSpan } from '#engine/audio/speech-span.ts'
import { cutWindows } from './channel-plan.ts'
import type { Channel, ChannelPlan, CutWindow, PlannedWindow } from './channel-plan.ts'
import { detectLanguages, spanOf } from './detect-languages.ts'
import { modelFor, planSilent } from './plan-context.ts'
import type { PlanContext } from './plan-context.ts'
import { possibleLanguages, rankLanguages, rankWindowLanguage } from './rank-languages.ts'
import { splitUtterances } from './split-utterances.ts'
import type { Utterance } from './window-result.ts'

/**
 * Plans each utterance in the language detected in it. Neighbours of one language share windows, since the model recognizes words better in
 * the middle of a passage.
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

/** Returns the language of each utterance: that of an earlier attempt where one detected it, else what the model detects now. */
async function detectUtterances(utterances: CutWindow[], context: PlanContext): Promise<Utterance[]> {
  const possible = possibleLanguages(context.model, { ...context.modelsByLanguage, ...context.languageErrors })
  const [first] = utterances
  const saved = [...context.saved.values()].filter(({ channel }) => channel === first?.channel)
  const earlier = new Map(saved.flatMap((result) => result.utterances.map((each) => [placeOf(each), each] as const)))
  const isKnown = ({ window }: CutWindow) => earlier.has(placeOf(spanOf(window)))
  const pending = utterances.filter((utterance) => !isKnown(utterance))
  const evidence = await detectLanguages(pending, context)
  const channelShares = rankLanguages(evidence, possible)
  return utterances.map((utterance) => {
    const span = spanOf(utterance.window)
    const known = earlier.get(placeOf(span))
    if (known) return known
    const own = evidence[pending.indexOf(utterance)]
    const detected = own && rankWindowLanguage(own, channelShares, possible)
    return { ...span, language: detected?.language ?? possible[0] ?? 'en', probability: detected?.probability ?? 0 }
  })
}

function placeOf({ startMs, endMs }: SpeechSpan): string {
  return `${startMs}-${endMs}`
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
