import { compressionRatio } from '../backend/compression-ratio.ts'
import type { HeardSegment, HeardWindow, HeardWord } from '../backend/speech-backend.ts'
import type { RecognizerResult } from './recognizer-result.ts'
import { joinTokens, spreadWords } from './token-words.ts'

/** A longer pause between two words ends a segment. */
const maxPauseMs = 600
const endOfSentence = /[.?!؟۔…。！？]["'»)]*$/u

/**
 * The segments of a model that writes one text for a window: cut behind sentences and at pauses where its tokens have times (CTC), else one
 * for the whole sound.
 */
export function readText(result: RecognizerResult, soundMs: number): HeardWindow {
  const words = joinTokens(result)?.map((word) => clampWord(word, soundMs))
  const spread = spreadWords(result.text, { startMs: 0, endMs: soundMs })
  const groups = words && words.length > 0 ? groupWords(words) : [spread]
  return { segments: groups.filter((group) => group.length > 0).map(toSegment), isComplete: true }
}

function clampWord(word: HeardWord, soundMs: number): HeardWord {
  return { ...word, startMs: Math.min(soundMs, word.startMs), endMs: Math.min(soundMs, word.endMs) }
}

function groupWords(words: HeardWord[]): HeardWord[][] {
  const groups: HeardWord[][] = []
  for (const word of words) {
    const before = groups.at(-1)?.at(-1)
    const isNew = !before || word.startMs - before.endMs > maxPauseMs || endOfSentence.test(before.text)
    if (isNew) groups.push([word])
    else groups.at(-1)?.push(word)
  }
  return groups
}

function toSegment(words: HeardWord[]): HeardSegment {
  const text = words.map((word) => word.text).join(' ')
  return {
    startMs: words[0]?.startMs ?? 0,
    endMs: words.at(-1)?.endMs ?? 0,
    text,
    words,
    logProbability: null,
    noSpeech: null,
    compressionRatio: compressionRatio(text),
  }
}
