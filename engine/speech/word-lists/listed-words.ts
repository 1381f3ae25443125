import { meanConfidence } from '../mean-confidence.ts'
import type { TranscriptLine } from '../transcript-line.ts'
import type { AttributedWindow } from '../voice-lines.ts'
import { correctWords } from './correct-words.ts'
import { indexSpellings } from './listed-spellings.ts'
import { findLikelyWords, findListedWords, prepareComparison, type PromptedWord } from './prompted-words.ts'
import type { UsedWordList } from './used-word-list.ts'

/** Maximum number of words in all lists that correct one transcription: four full lists. Time grows with the number. */
const maxWords = 2_000

export interface ListedWordCorrector {
  /**
   * Returns the listed words that the model hears when prompted with them. `recognize` is called only if the lines contain a doubtful word
   * that resembles a listed word; it takes the words of the prompt, the most important last.
   */
  hear: (
    lines: readonly TranscriptLine[],
    recognize: (words: string[]) => Promise<readonly TranscriptLine[]>,
  ) => Promise<PromptedWord[]>
  /** Corrects the lines of a window by the lists. */
  correct: (window: AttributedWindow) => AttributedWindow
}

/** Prepares the lists of a transcription, the most important first; if two have the same word, the first counts. */
export function createListedWordCorrector(lists: readonly UsedWordList[] = []): ListedWordCorrector {
  const listed = lists.flatMap((list) => list.words).slice(0, maxWords)
  const spellings = indexSpellings(listed)
  const words = [...new Set(listed.map(({ word }) => word))]
  const compared = words.map(prepareComparison)
  const isListed = new Set(words)
  return {
    async hear(lines, recognize) {
      const likely = words.length === 0 ? [] : findLikelyWords(lines, compared, spellings)
      return likely.length === 0 ? [] : findListedWords(await recognize(likely), spellings)
    },
    correct: (window) => {
      if (words.length === 0) return window
      // A window of an earlier attempt was recognized with the lists of that time.
      const prompted = window.promptedWords.filter(({ written }) => isListed.has(written))
      return { ...window, lines: window.lines.map((line) => correctLine(line, prompted)) }
    },
  }

  function correctLine<Line extends TranscriptLine>(line: Line, prompted: readonly PromptedWord[]): Line {
    const corrected = correctWords(line.words, spellings, prompted)
    if (corrected === line.words) return line
    const text = corrected.map((word) => word.text).join(' ')
    return { ...line, text, words: corrected, confidence: meanConfidence(corrected) }
  }
}
