import type { Decoding, LanguageProbabilities, TranscribedWindow, TranscribedWord } from '../backend/speech-backend.ts'
import { seededRandom } from '../seeded-random.ts'
import { alignTokens } from './align-tokens.ts'
import { computeLanguageProbabilities, type DecodedText, decodeText } from './decode-text.ts'
import { findNearlyHeard } from './find-nearly-heard.ts'
import { computeLogMel } from './log-mel.ts'
import { splitAtTimestamps, toTranscribedWindow, type TokenSegment } from './transcribed-window.ts'
import type { TokenizedWord, TokenTable } from './token-table.ts'
import { createTokenRules } from './token-rules.ts'
import type { WhisperVocabulary } from './vocabulary.ts'
import type { EncodedAudio, WhisperGraphs } from './whisper-graphs.ts'
import { assignWordTimes } from './word-times.ts'

/** Texts of symbols, and of brackets around sounds such as [Music]. Source: OpenAI's Whisper, `non_speech_tokens` in tokenizer.py. */
const symbols = [
  ...'"#()*+/:;<=>@[\\]^_`{|}~「」『』',
  ...'<< >> <<< >>> -- --- -( -[ (\' (" (( )) ((( ))) [[ ]] {{ }} ♪♪ ♪♪♪ ♩ ♪ ♫ ♬ ♭ ♮ ♯'.split(' '),
]
/** These occur within words but do not begin them. */
const onlyAfterSpace = ['-', "'"]

/** Returns the tokens that do not represent speech, with and without a space before them. */
function nonSpeechTokens(table: Pick<TokenTable, 'find'>): number[] {
  const texts = [
    ...symbols.flatMap((symbol) => [symbol, ` ${symbol}`]),
    ...onlyAfterSpace.map((symbol) => ` ${symbol}`),
  ]
  return texts.flatMap((text) => table.find(text) ?? [])
}

export interface WindowAudioParams {
  /** 16 kHz, -1 to 1, at most 30 s; NaN and infinities count as 0. */
  samples: Float32Array
  /** Encoder positions of 20 ms, at most 1500; positions beyond the audio are silence. */
  positions: number
}

export interface TranscribeWindowParams extends WindowAudioParams {
  /** ISO 639-1 code that the model supports. */
  language: string
  decoding: Decoding
  /** Words that are likely to occur, as running text; empty for none. */
  prompt: string
  /** Words to look for where the text has other words that sound alike; none by default. */
  keywords?: readonly string[]
}

interface WindowModel {
  graphs: WhisperGraphs
  vocabulary: WhisperVocabulary
  table: TokenTable
}

/** Transcribes windows with a loaded model. */
export interface WindowTranscriber {
  transcribe(params: TranscribeWindowParams, signal?: AbortSignal): Promise<TranscribedWindow>
  detectLanguages(params: WindowAudioParams, signal?: AbortSignal): Promise<LanguageProbabilities>
}

/** Returns the words of part of a text, with the indices of their tokens in the whole text. */
function toDecodedWords({ segment, tokenized }: { segment: TokenSegment; tokenized: TokenizedWord[] }) {
  return tokenized.map(({ text, tokens }) => ({ text, tokens: tokens.map((index) => segment.indices[index] ?? 0) }))
}

const samplesPerMs = 16
const samplesPerPosition = 320
const framesPerPosition = 2

export function createWindowTranscriber({ graphs, vocabulary, table }: WindowModel): WindowTranscriber {
  const suppressed = nonSpeechTokens(table)

  async function withAudio<Result>(
    { samples, positions }: WindowAudioParams,
    use: (audio: EncodedAudio) => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result> {
    const frames = positions * framesPerPosition
    const audio = await graphs.encode(computeLogMel(samples, { bands: vocabulary.bands, frames }), frames)
    try {
      signal?.throwIfAborted()
      return await use(audio)
    } finally {
      audio.release()
    }
  }

  /** Returns where each text token starts and the last one ends, in positions of 20 ms, by their indices in `decoded.tokens`. */
  async function timeTokens(
    audio: EncodedAudio,
    { tokens }: DecodedText,
    { language, samples }: TranscribeWindowParams,
  ): Promise<{ starts: readonly number[]; indices: readonly number[] } | undefined> {
    const { startOfTranscript, endOfText, firstTimestamp, languages, task } = vocabulary
    const languageToken = languages.get(language)
    const noTimestamps = firstTimestamp - 1
    const prompt = [startOfTranscript, ...(languageToken === undefined ? [] : [languageToken]), ...task, noTimestamps]
    const indices = tokens.flatMap((token, index) => (token < endOfText ? [index] : []))
    if (indices.length === 0) return undefined
    const attention = await graphs.attend(audio, [...prompt, ...indices.map((index) => tokens[index] ?? endOfText)])
    if (!attention) return undefined
    const { weights, ...shape } = attention
    const audioPositions = Math.ceil(samples.length / samplesPerPosition)
    const starts = alignTokens(weights, { ...shape, audioPositions, firstToken: prompt.length - 1 })
    return starts && { starts, indices }
  }

  async function transcribeAudio(
    audio: EncodedAudio,
    params: TranscribeWindowParams,
    signal: AbortSignal | undefined,
  ): Promise<TranscribedWindow> {
    const { language, decoding, samples } = params
    const audioMs = samples.length / samplesPerMs
    const audioPositions = samples.length / samplesPerPosition
    const decoded = await decodeText(audio, {
      graphs,
      vocabulary,
      applyRules: createTokenRules({ vocabulary, suppressed, audioPositions }),
      language,
      decoding,
      prompt: table.encode(params.prompt.trim().replace(/^(?=.)/u, ' ')),
      audioPositions,
      random: seededRandom(1),
      signal,
    })
    const { tokens, logProbabilities, meanLogProbability, noSpeechProbability } = decoded
    const isImprobable = meanLogProbability < decoding.logProbabilityThreshold
    if (isImprobable && noSpeechProbability > decoding.noSpeechThreshold) return { segments: [], isComplete: true }
    const times = await timeTokens(audio, decoded, params)
    const parts = splitAtTimestamps(tokens, { firstTimestamp: vocabulary.firstTimestamp, audioMs }).map((segment) => ({
      segment,
      tokenized: table.words(segment.indices.map((index) => tokens[index] ?? 0)),
    }))
    const nearlyHeard = await findNearlyHeard(
      audio,
      { tokens, logProbabilities, words: parts.flatMap(toDecodedWords) },
      { graphs, vocabulary, table, language, keywords: params.keywords ?? [], signal },
    )
    let read = 0
    const segments = parts.map(({ segment, tokenized }) => {
      const from = times?.indices.indexOf(segment.indices[0] ?? 0) ?? 0
      const to = from + segment.indices.length
      const words = assignWordTimes(tokenized, {
        starts: times?.starts.slice(from, to),
        probabilities: segment.indices.map((index) => Math.exp(logProbabilities[index] ?? 0)),
        segment,
        endPosition: times?.starts[to],
      }).map((word): TranscribedWord => {
        const near = nearlyHeard.get(read++)
        return near ? { ...word, nearlyHeard: near } : word
      })
      return { ...segment, words }
    })
    return toTranscribedWindow(decoded, segments, audioMs)
  }

  return {
    transcribe: (params, signal) => withAudio(params, (audio) => transcribeAudio(audio, params, signal), signal),
    detectLanguages: (params, signal) =>
      withAudio(params, (audio) => computeLanguageProbabilities(audio, { graphs, vocabulary }), signal),
  }
}
