import { readWindow } from '#engine/audio/windows.ts'
import { compressionRatio, maxCompressionRatio } from './backend/compression-ratio.ts'
import type { TranscribedSegment } from './backend/speech-backend.ts'
import type { CutWindow } from './channel-plan.ts'
import { decodingFor } from './decode-settings.ts'
import { loadLetterModels, type LetterModel } from './letter-model.ts'
import { mapInOrder } from './map-in-order.ts'
import type { PlanContext } from './plan-context.ts'
import type { DetectedLanguage } from './rank-languages.ts'

/** A window whose language is not certain, with the languages that it may be in, most probable first. */
export interface UncertainWindow {
  window: CutWindow
  ranked: DetectedLanguage[]
}

/** Only these of the languages are compared: each costs a transcription of the window. */
const maxCompared = 3
const minProbability = 0.02
/** What the detection and the letters count beside the model's certainty of its text: docs/decisions/spoken-language.md. */
const detectionWeight = 0.02
const letterWeight = 0.3

/**
 * Returns the language of each window whose text the model is most sure of: its mean log-probability, with a little of the detection's, and with how
 * usual the order of the letters is in each language. Detection hears one token; a text has many, and Persian written as Arabic is improbable in every
 * one of them. A window stays undecided (undefined) where the engine reports no probabilities or finds no text.
 */
export async function compareTexts(
  windows: UncertainWindow[],
  { decoded, backends, model, signal }: PlanContext,
): Promise<(DetectedLanguage | undefined)[]> {
  if (windows.length === 0) return []
  const { capabilities } = await backends.use(model, { signal })
  const limit = capabilities.parallelWindows ?? 1
  const outcomes = mapInOrder(windows, { limit, signal }, async ({ window, ranked }, windowSignal) => {
    const samples = await readWindow(decoded, window.channel, window.window)
    const texts: ComparedText[] = []
    for (const { language, probability } of selectCompared(ranked, model.languages)) {
      const backend = await backends.use(model, { signal: windowSignal })
      const decoding = decodingFor(model, language)
      const { segments } = await backend.transcribe(samples, { language, decoding, signal: windowSignal })
      const mean = meanLogProbability(segments)
      const text = segments.map((segment) => segment.text).join(' ')
      // The model is most sure of what it repeats.
      if (mean === undefined || compressionRatio(text) > maxCompressionRatio) continue
      texts.push({ language, text, score: mean + detectionWeight * Math.log(probability) })
    }
    return mostProbable(addLetterScores(texts, await loadLetterModels()))
  })
  const decided: (DetectedLanguage | undefined)[] = []
  for await (const { settled } of outcomes) {
    if (settled.status === 'rejected') throw settled.reason
    decided.push(settled.value)
  }
  return decided
}

/** What a window says if it is in a language. */
interface ComparedText {
  language: string
  text: string
  score: number
}

/**
 * Takes off from the scores of the languages in the Arabic script how much more unusual the letters of all the texts are in them than in the one that
 * they fit best. Each text is the same sounds, however it is spelt, so words of the language that is spoken show in all of them.
 */
function addLetterScores(texts: ComparedText[], models: ReadonlyMap<string, LetterModel>): ComparedText[] {
  const fits = new Map(
    texts.flatMap(({ language }) => {
      const model = models.get(language)
      const means = model ? texts.flatMap(({ text }) => model.meanLogProbability(text) ?? []) : []
      return means.length > 0 ? [[language, means.reduce((sum, each) => sum + each, 0) / means.length]] : []
    }),
  )
  if (fits.size === 0) return texts
  const best = Math.max(...fits.values())
  return texts.map((text) => ({
    ...text,
    score: text.score + letterWeight * ((fits.get(text.language) ?? best) - best),
  }))
}

function selectCompared(ranked: DetectedLanguage[], known: readonly string[]): DetectedLanguage[] {
  return ranked
    .filter(({ language, probability }) => probability >= minProbability && known.includes(language))
    .slice(0, maxCompared)
}

function meanLogProbability(segments: TranscribedSegment[]): number | undefined {
  const known = segments.flatMap((segment) => segment.meanLogProbability ?? [])
  return known.length > 0 ? known.reduce((sum, each) => sum + each, 0) / known.length : undefined
}

/** The probability is that of the scores among each other; of a single text nothing can be said. */
function mostProbable(scores: { language: string; score: number }[]): DetectedLanguage | undefined {
  if (scores.length < 2) return undefined
  const [best] = scores.toSorted((a, b) => b.score - a.score)
  if (!best) return undefined
  const total = scores.reduce((sum, { score }) => sum + Math.exp(score - best.score), 0)
  return { language: best.language, probability: 1 / total }
}
