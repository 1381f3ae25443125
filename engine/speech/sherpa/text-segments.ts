import { compressionRatio } from '../backend/compression-ratio.ts'
import type { TranscribedSegment, TranscribedWindow, TranscribedWord } from '../backend/speech-backend.ts'
import { spreadTextOverSpan } from '../spread-words.ts'
import type { RecognizerResult } from './recognizer-result.ts'
import { joinTokens } from './token-words.ts'

/** A longer pause between two words ends a segment. */
const maxPauseMs = 600
const endOfSentence = /[.?!؟۔…。！？]["'»)]*$/u

/**
 * Returns the segments of a model that writes one text per window: split after sentences and at pauses if its tokens have times (CTC),
 * else a single one.
 */
export function readTextResult(result: RecognizerResult, audioMs: number): TranscribedWindow {
  const words = joinTokens(result)?.map((word) => clampWord(word, audioMs))
  const spread = spreadTextOverSpan(result.text, { startMs: 0, endMs: audioMs })
  const groups = words && words.length > 0 ? groupWords(words) : [spread]
  return { segments: groups.filter((group) => group.length > 0).map(toSegment), isComplete: true }
}

function clampWord(word: TranscribedWord, audioMs: number): TranscribedWord {
  return { ...word, startMs: Math.min(audioMs, word.startMs), endMs: Math.min(audioMs, word.endMs) }
}

function groupWords(words: TranscribedWord[]): TranscribedWord[][] {
  const groups: TranscribedWord[][] = []
  for (const word of words) {
    const before = groups.at(-1)?.at(-1)
    const isNew = !before || word.startMs - before.endMs > maxPauseMs || endOfSentence.test(before.text)
    if (isNew) groups.push([word])
    else groups.at(-1)?.push(word)
  }
  return groups
}

function toSegment(words: TranscribedWord[]): TranscribedSegment {
  const text = words.map((word) => word.text).join(' ')
  return {
    startMs: words[0]?.startMs ?? 0,
    endMs: words.at(-1)?.endMs ?? 0,
    text,
    words,
    meanLogProbability: null,
    noSpeechProbability: null,
    compressionRatio: compressionRatio(text),
  }
}
