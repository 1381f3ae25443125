import { readWindow } from '#engine/audio/windows.ts'
import { compressionRatio, maxCompressionRatio } from './backend/compression-ratio.ts'
import type { TranscribedSegment } from './backend/speech-backend.ts'
import type { CutWindow } from './channel-plan.ts'
import { decodingFor } from './decode-settings.ts'
import { loadLetterModels } from './letter-model.ts'
import { mapInOrder } from './map-in-order.ts'
import type { PlanContext } from './plan-context.ts'
import type { DetectedLanguage } from './rank-languages.ts'

/** A window whose language is uncertain, with its possible languages, the most probable first. */
export interface UncertainWindow {
  window: CutWindow
  ranked: DetectedLanguage[]
}

interface TextScore extends DetectedLanguage {
  score: number
}

/** Only this many of the languages are compared: each costs a transcription of the window. */
const maxCompared = 3
const minProbability = 0.02
/**
 * If Whisper is asked for English while another language is spoken, it translates and gives its translation, such as "Thanks for
 * watching.", a high probability. English is compared only if the detection gives it at least this probability. It gave every English clip
 * more than 0.99.
 */
const minEnglishProbability = 0.3
/** Weights of the detection and of the letters relative to the model's certainty of its text: docs/decisions/spoken-language.md. */
const detectionWeight = 0.01
const letterWeight = 0.1

/**
 * Returns, for each window, the language whose text is the most probable: for the model, judged by its mean log-probability, and for the
 * language, judged by the order of the letters, since text written in a language that is not spoken contains few of its words. The
 * detection, which rests on one token, counts a little. A window stays undecided (undefined) if the engine reports no probabilities or
 * finds no text.
 */
export async function compareTexts(
  windows: UncertainWindow[],
  { decoded, backends, model, signal }: PlanContext,
): Promise<(DetectedLanguage | undefined)[]> {
  if (windows.length === 0) return []
  const letterModels = await loadLetterModels()
  const { capabilities } = await backends.use(model, { signal })
  const limit = capabilities.parallelWindows ?? 1
  const outcomes = mapInOrder(windows, { limit, signal }, async ({ window, ranked }, windowSignal) => {
    const compared = selectCompared(ranked, model.languages)
    if (compared.length < 2) return undefined
    const samples = await readWindow(decoded, window.channel, window.window)
    const scores: TextScore[] = []
    for (const { language, probability } of compared) {
      const backend = await backends.use(model, { signal: windowSignal })
      const decoding = decodingFor(model, language)
      const { segments } = await backend.transcribe(samples, { language, decoding, signal: windowSignal })
      const mean = meanLogProbability(segments)
      const text = segments.map((segment) => segment.text).join(' ')
      const letters = letterModels.get(language)?.meanLogProbability(text)
      // The model is most certain of text that it repeats.
      if (mean === undefined || letters === undefined || compressionRatio(text) > maxCompressionRatio) continue
      const score = mean + detectionWeight * Math.log(probability) + letterWeight * letters
      scores.push({ language, probability, score })
    }
    return mostProbable(scores)
  })
  const decided: (DetectedLanguage | undefined)[] = []
  for await (const { settled } of outcomes) {
    if (settled.status === 'rejected') throw settled.reason
    decided.push(settled.value)
  }
  return decided
}

function selectCompared(ranked: DetectedLanguage[], known: readonly string[]): DetectedLanguage[] {
  return ranked
    .filter(({ language, probability }) => probability >= minProbability && known.includes(language))
    .slice(0, maxCompared)
    .filter(({ language, probability }) => language !== 'en' || probability >= minEnglishProbability)
}

function meanLogProbability(segments: TranscribedSegment[]): number | undefined {
  const known = segments.flatMap((segment) => segment.meanLogProbability ?? [])
  return known.length > 0 ? known.reduce((sum, each) => sum + each, 0) / known.length : undefined
}

/** The probability is relative to the other scores; if all other texts only repeat themselves, it is that of the detection. */
function mostProbable(scores: TextScore[]): DetectedLanguage | undefined {
  const [best] = scores.toSorted((a, b) => b.score - a.score)
  if (!best) return undefined
  if (scores.length === 1) return { language: best.language, probability: best.probability }
  const total = scores.reduce((sum, { score }) => sum + Math.exp(score - best.score), 0)
  return { language: best.language, probability: 1 / total }
}
