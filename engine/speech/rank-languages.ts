import { transcriptionLanguages } from '#contract/languages.ts'
import type { SpeechModel } from '#engine/models/model-entry.ts'
import type { LanguageProbabilities } from './backend/speech-backend.ts'

export interface DetectedLanguage {
  /** One of the languages that were possible. */
  language: string
  /** Its share among the possible languages, 0 to 1. */
  probability: number
}

/** What a model heard in one window. */
export interface LanguageEvidence {
  probabilities: LanguageProbabilities
  durationMs: number
}

/** The languages that may be told: those the product offers and that this model knows or another one is named for. */
export function possibleLanguages(model: SpeechModel, namedLanguages: Partial<Record<string, unknown>> = {}): string[] {
  const known = new Set([...model.languages, ...Object.keys(namedLanguages)])
  return transcriptionLanguages.filter((language) => known.has(language))
}

/**
 * The possible languages, most probable first, by the mean of their probabilities in several windows, each window counting by its
 * length. One window alone takes Dari for Hungarian or Hebrew in every second clip; the mean of four among the possible languages is
 * right in 98 of 100.
 */
export function rankLanguages(heard: LanguageEvidence[], possible: readonly string[]): DetectedLanguage[] {
  const sums = new Map(possible.map((language) => [language, 0]))
  for (const { probabilities, durationMs } of heard) {
    for (const language of possible) {
      sums.set(language, (sums.get(language) ?? 0) + probabilityOf(language, probabilities) * durationMs)
    }
  }
  const total = [...sums.values()].reduce((sum, value) => sum + value, 0)
  return [...sums]
    .map(([language, sum]) => ({ language, probability: total > 0 ? sum / total : 0 }))
    .toSorted((a, b) => b.probability - a.probability)
}

/** Spoken Hindi and Urdu are one language and Whisper often says Hindi; Awaz offers Urdu, so that its script is written. */
function probabilityOf(language: string, probabilities: LanguageProbabilities): number {
  return (probabilities[language] ?? 0) + (language === 'ur' ? (probabilities.hi ?? 0) : 0)
}

/**
 * The language of one window among `possible`: what was heard in it, weighed by how much the whole channel speaks each language, so that
 * a doubtful window does not fall out of its surroundings.
 */
export function rankWindowLanguage(
  heard: LanguageEvidence,
  channel: DetectedLanguage[],
  possible: readonly string[],
): DetectedLanguage | undefined {
  const share = new Map(channel.map(({ language, probability }) => [language, probability]))
  const weighed = possible.map(
    (language) =>
      [language, probabilityOf(language, heard.probabilities) * Math.sqrt(share.get(language) ?? 0)] as const,
  )
  const [best] = rankLanguages([{ probabilities: Object.fromEntries(weighed), durationMs: 1 }], possible)
  return best
}
