import { meanConfidence } from '../mean-confidence.ts'
import type { AttributedWindow } from '../voice-lines.ts'
import { correctWords } from './correct-words.ts'
import { indexSpellings } from './listed-spellings.ts'
import type { UsedWordList } from './used-word-list.ts'

/** Words of all lists together that one transcription is corrected by: four full lists. Time grows with them. */
const maxWords = 2_000

export type LineCorrector = (window: AttributedWindow) => AttributedWindow

/** Returns a function that writes the lines of a window as the lists have it; of two lists with the same word the first counts. */
export function createLineCorrector(lists: readonly UsedWordList[] = []): LineCorrector {
  const words = lists.flatMap((list) => list.words).slice(0, maxWords)
  if (words.length === 0) return (window) => window
  const spellings = indexSpellings(words)
  return (window) => ({
    ...window,
    lines: window.lines.map((line) => {
      const corrected = correctWords(line.words, spellings)
      if (corrected === line.words) return line
      const text = corrected.map((word) => word.text).join(' ')
      return { ...line, text, words: corrected, confidence: meanConfidence(corrected) }
    }),
  })
}
