import { indicesOfLargest, logSumExp } from '#engine/onnx/numbers.ts'
import type { WhisperVocabulary } from './vocabulary.ts'

/** The logits of the next token, with those that are ruled out set to -Infinity, and the logarithm of the sum of their exponentials. */
export interface TokenScores {
  logits: Float32Array
  logSum: number
}

interface TokenRulesOptions {
  vocabulary: WhisperVocabulary
  /** Text tokens that never occur in speech, such as brackets around sounds. */
  suppressed: readonly number[]
  /** Length of the audio without padding, in positions of 20 ms. */
  audioPositions: number
}

/** The first segment starts within the first second: windows begin 300 ms before speech. */
const maxFirstPosition = 50

/** Returns the scores of the next token after `tokens`; changes `logits`. */
export type ApplyTokenRules = (logits: Float32Array, tokens: readonly number[]) => TokenScores

/**
 * Creates the rules for the next token: there are no special tokens, text does not begin with the end token or a space, timestamps come in
 * pairs (the end of a segment and the start of the next) and do not descend, the first is within a second, and a timestamp is forced if all
 * timestamps together are more probable than any text token. Source: OpenAI's Whisper, `ApplyTimestampRules` in decoding.py. In addition,
 * no timestamp is later than the end of the audio: the probability of later timestamps is moved there.
 *
 * @throws Error if the model computes NaN, as with damaged weights
 */
export function createTokenRules({ vocabulary, suppressed, audioPositions }: TokenRulesOptions): ApplyTokenRules {
  const { endOfText, blank, firstTimestamp } = vocabulary
  const lastAllowed = firstTimestamp + Math.max(1, Math.ceil(audioPositions))
  return (logits, tokens) => {
    if (Number.isNaN(logits[0]) || Number.isNaN(logits[endOfText])) throw new Error('The model computes NaN')
    for (const token of suppressed) logits[token] = -Infinity
    // All special tokens, including those that the encoder's metadata does not list.
    logits.fill(-Infinity, endOfText + 1, firstTimestamp)
    if (tokens.length === 0) logits[blank] = logits[endOfText] = -Infinity
    const isTimestamp = (token: number | undefined) => token === undefined || token >= firstTimestamp
    if (tokens.length > 0 && isTimestamp(tokens.at(-1))) {
      if (isTimestamp(tokens.at(-2))) logits.fill(-Infinity, firstTimestamp)
      else logits.fill(-Infinity, 0, endOfText)
    }
    if (lastAllowed < logits.length - 1) {
      logits[lastAllowed] = logSumExp(logits, lastAllowed, logits.length)
      logits.fill(-Infinity, lastAllowed + 1)
    }
    if (tokens.length === 0) logits.fill(-Infinity, firstTimestamp + maxFirstPosition + 1)
    const lastTimestamp = tokens.findLast((token) => token >= firstTimestamp)
    if (lastTimestamp !== undefined) {
      // A segment never has zero length, but may begin where the previous one ends.
      const isOpen = !isTimestamp(tokens.at(-1))
      logits.fill(-Infinity, firstTimestamp, lastTimestamp + (isOpen ? 1 : 0))
    }
    return scoreTokens(logits, firstTimestamp)
  }
}

function scoreTokens(logits: Float32Array, firstTimestamp: number): TokenScores {
  const timestampLogSum = logSumExp(logits, firstTimestamp)
  const [best = -1] = indicesOfLargest(logits.subarray(0, firstTimestamp), 1)
  const bestText = logits[best] ?? -Infinity
  if (timestampLogSum > bestText) {
    logits.fill(-Infinity, 0, firstTimestamp)
    return { logits, logSum: timestampLogSum }
  }
  return { logits, logSum: logSumExp(logits) }
}
