import type { DetectedLanguage } from './whisper.ts'

/**
 * One language from several detections: the one with the most probability, each window counting by its length. The probability
 * answered is the winner's mean over all windows heard, with 0 for those where another language came first (the engine tells
 * only the first one's probability), so it is never more than the model itself believed.
 */
export function voteLanguage(heard: (DetectedLanguage & { durationMs: number })[]): DetectedLanguage | undefined {
  const totalMs = heard.reduce((sum, { durationMs }) => sum + durationMs, 0)
  const scores = new Map<string, number>()
  for (const { language, probability, durationMs } of heard) {
    scores.set(language, (scores.get(language) ?? 0) + (probability * durationMs) / totalMs)
  }
  const [best] = [...scores].toSorted(([, a], [, b]) => b - a)
  return best && { language: best[0], probability: best[1] }
}
