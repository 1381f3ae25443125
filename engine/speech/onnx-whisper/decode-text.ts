import { logSumExp } from '#engine/onnx/numbers.ts'
import type { Decoding } from '../backend/speech-backend.ts'
import { meanLogProbability, searchHypotheses } from './search-hypotheses.ts'
import type { TextHypothesis } from './search-hypotheses.ts'
import type { ApplyTokenRules } from './token-rules.ts'
import type { WhisperVocabulary } from './vocabulary.ts'
import type { EncodedAudio, WhisperGraphs } from './whisper-graphs.ts'

export interface DecodeTextOptions {
  graphs: WhisperGraphs
  vocabulary: WhisperVocabulary
  applyRules: ApplyTokenRules
  /** ISO 639-1 code; ignored by an English-only model. */
  language: string
  decoding: Decoding
  /** Tokens of words that are likely to occur, which Whisper takes for preceding text; if there are too many, the last ones are used. */
  prompt: readonly number[]
  /** Length of the audio without padding, in positions of 20 ms. */
  audioPositions: number
  /** Returns numbers from 0 up to but excluding 1, for sampling. */
  random: () => number
  signal?: AbortSignal
}

/** What Whisper wrote for a window. */
export interface DecodedText {
  /** Text and timestamps. */
  tokens: readonly number[]
  /** Log-probability of each token at temperature 0. */
  logProbabilities: readonly number[]
  meanLogProbability: number
  /** Probability that the window contains no speech. */
  noSpeechProbability: number
  /** Whether the text ended by itself; otherwise no tokens were left for the rest of the audio. */
  isFinished: boolean
}

/** Timestamps this close to the end of the audio are at its end, in positions of 20 ms. */
const endPositions = 5
/** Texts with fewer tokens are not checked for repetition. */
const entropyTokens = 32

/**
 * Decodes the text of encoded audio: at the first temperature by beam search or greedily, and at higher temperatures, if there are any,
 * while the text is improbable or repeats itself. Source: OpenAI's Whisper, `decode_with_fallback` in transcribe.py, except that of several
 * rejected texts the most probable is used, not the last, and a text that repeats itself only if all do: a loop is the most probable text
 * of all.
 */
export async function decodeText(audio: EncodedAudio, options: DecodeTextOptions): Promise<DecodedText> {
  const { decoding } = options
  const rejected: { regular: DecodedText[]; repetitive: DecodedText[] } = { regular: [], repetitive: [] }
  for (const temperature of temperaturesOf(decoding)) {
    const { texts, noSpeechProbability } = await decodeAt(temperature, audio, options)
    const regular = texts.filter(({ tokens }) => !isRepetitive(tokens, decoding.entropyThreshold))
    const text = mostProbable(regular) ?? mostProbable(texts)
    if (!text) continue
    const { tokens, logProbabilities, isFinished } = text
    const mean = meanLogProbability(text)
    const decoded = { tokens, logProbabilities, isFinished, meanLogProbability: mean, noSpeechProbability }
    const isSilence = noSpeechProbability > decoding.noSpeechThreshold
    if (regular.length > 0 && (isSilence || mean >= decoding.logProbabilityThreshold)) return decoded
    rejected[regular.length > 0 ? 'regular' : 'repetitive'].push(decoded)
  }
  const candidates = rejected.regular.length > 0 ? rejected.regular : rejected.repetitive
  const [best] = candidates.toSorted((one, other) => other.meanLogProbability - one.meanLogProbability)
  if (!best) throw new Error('The model returned no text')
  return best
}

/** Returns the probabilities of the languages with which the model was exported; they sum to 1. English-only models have only English. */
export async function computeLanguageProbabilities(
  audio: EncodedAudio,
  { graphs, vocabulary }: Pick<DecodeTextOptions, 'graphs' | 'vocabulary'>,
): Promise<Record<string, number>> {
  const { languages, startOfTranscript } = vocabulary
  if (languages.size === 0) return { en: 1 }
  const text = graphs.startSession(audio)
  try {
    const logits = await text.append([startOfTranscript])
    const scores = Float32Array.from(languages.values(), (token) => logits[token] ?? -Infinity)
    const logSum = logSumExp(scores)
    return Object.fromEntries(
      [...languages.keys()].map((code, index) => [code, Math.exp((scores[index] ?? 0) - logSum)]),
    )
  } finally {
    text.release()
  }
}

async function decodeAt(
  temperature: number,
  audio: EncodedAudio,
  { graphs, vocabulary, applyRules, language, decoding, prompt, audioPositions, random, signal }: DecodeTextOptions,
): Promise<{ texts: TextHypothesis[]; noSpeechProbability: number }> {
  const { startOfTranscript, startOfPrevious, endOfText, noSpeech, firstTimestamp, languages, task, textContext } =
    vocabulary
  const languageToken = languages.get(language)
  const text = graphs.startSession(audio)
  try {
    const previous = prompt.length > 0 ? [startOfPrevious, ...prompt.slice(1 - textContext / 2)] : []
    const atStart = await text.append([...previous, startOfTranscript])
    const noSpeechProbability = Math.exp((atStart[noSpeech] ?? -Infinity) - logSumExp(atStart))
    const rest = languageToken === undefined ? task : [languageToken, ...task]
    const texts = await searchHypotheses(
      { first: rest.length > 0 ? await text.append(rest) : atStart, advance: text.advance },
      {
        applyRules,
        endOfText,
        maxTokens: textContext / 2 - 1 - rest.length,
        lastTimestamp: firstTimestamp + Math.max(1, audioPositions - endPositions),
        width: temperature > 0 ? decoding.bestOf : decoding.beamSize,
        temperature,
        random,
        signal,
      },
    )
    return { texts, noSpeechProbability }
  } finally {
    text.release()
  }
}

function temperaturesOf({ temperature, temperatureStep }: Decoding): number[] {
  if (temperatureStep <= 0) return [temperature]
  const count = Math.floor((1 - temperature) / temperatureStep + 1e-6) + 1
  return Array.from({ length: count }, (_, index) => temperature + index * temperatureStep)
}

function mostProbable(texts: readonly TextHypothesis[]): TextHypothesis | undefined {
  return texts.toSorted((one, other) => meanLogProbability(other) - meanLogProbability(one))[0]
}

/** Whether the last tokens repeat themselves. Source: whisper.cpp, `whisper_sequence_score`. */
function isRepetitive(tokens: readonly number[], entropyThreshold: number): boolean {
  if (tokens.length <= entropyTokens) return false
  const last = tokens.slice(-entropyTokens)
  const counts = new Map<number, number>()
  for (const token of last) counts.set(token, (counts.get(token) ?? 0) + 1)
  const entropy = [...counts.values()].reduce(
    (sum, count) => sum - (count / last.length) * Math.log(count / last.length),
    0,
  )
  return entropy < entropyThreshold
}
