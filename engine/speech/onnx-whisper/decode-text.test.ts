import { expect, test } from 'vitest'
import type { Decoding } from '../backend/speech-backend.ts'
import { seededRandom } from '../seeded-random.ts'
import { decodeText, computeLanguageProbabilities } from './decode-text.ts'
import { toyWhisperMetadata } from './testing/metadata.ts'
import { createTokenRules } from './token-rules.ts'
import { readVocabulary } from './vocabulary.ts'
import type { EncodedAudio, WhisperGraphs } from './whisper-graphs.ts'

/** Text is 0 to 9, the end 10, special tokens 11 to 19, timestamps from 20. */
const size = 60
const end = 10
const [start, english, persian, transcribe, previous, noSpeech] = [11, 12, 13, 15, 16, 18]

type Probabilities = Record<number, number>

/** Returns graphs that continue each text after its prompt with the probabilities from `next`, and records the prompts. */
function graphsOf(next: (text: readonly number[]) => Probabilities, atStart: Probabilities = {}) {
  const prompts: number[][] = []
  let openTexts = 0
  const row = (probabilities: Probabilities) => {
    const logits = new Float32Array(size).fill(-30)
    for (const [token, probability] of Object.entries(probabilities)) logits[Number(token)] = Math.log(probability)
    return logits
  }
  const graphs: WhisperGraphs = {
    encode: () => Promise.reject(new Error('The audio is encoded')),
    attend: () => Promise.resolve(undefined),
    startSession: () => {
      const prompt: number[] = []
      let texts: number[][] = [[]]
      prompts.push(prompt)
      openTexts += 1
      return {
        append: async (tokens) => {
          prompt.push(...tokens)
          return row(tokens.at(-1) === start ? { ...atStart, ...next([]) } : next([]))
        },
        advance: async (sources, tokens) => {
          texts = sources.map((source, index) => [...(texts[source] ?? []), tokens[index] ?? -1])
          return texts.map((text) => row(next(text)))
        },
        fork: () => {
          throw new Error('No text is forked')
        },
        release: () => {
          openTexts -= 1
        },
      }
    },
  }
  return { graphs, prompts, openTexts: () => openTexts }
}

const audio: EncodedAudio = { tensors: {}, release: () => {} }

interface DecodeOptions {
  decoding?: Partial<Decoding>
  language?: string
  prompt?: number[]
  metadata?: Record<string, string>
  signal?: AbortSignal
}

function decode(graphs: WhisperGraphs, options: DecodeOptions = {}) {
  const vocabulary = readVocabulary(toyWhisperMetadata(options.metadata))
  return decodeText(audio, {
    graphs,
    vocabulary,
    applyRules: createTokenRules({ vocabulary, suppressed: [], audioPositions: 40 }),
    language: options.language ?? 'en',
    decoding: {
      beamSize: 1,
      temperature: 0,
      temperatureStep: 0.2,
      bestOf: 5,
      entropyThreshold: 2.4,
      logProbabilityThreshold: -1,
      noSpeechThreshold: 0.6,
      audioContextFactor: 1,
      ...options.decoding,
    },
    prompt: options.prompt ?? [],
    audioPositions: 40,
    random: seededRandom(1),
    signal: options.signal,
  })
}

/** Continues with these tokens, each with the same probability, and then ends. */
function saying(tokens: number[], probability = 0.9) {
  return (text: readonly number[]): Probabilities => ({ [tokens[text.length] ?? end]: probability })
}

/** Continues with words that are all equally probable. */
const guessing = (text: readonly number[]): Probabilities =>
  text.length < 6 ? Object.fromEntries([0, 1, 2, 4, 5, 6, 7].map((token) => [token, 1 / 7])) : { [end]: 1 }

/** Repeats one token unless sampling draws another, after which it guesses. */
const looping = (text: readonly number[]): Probabilities =>
  text.every((token) => token === 1) ? { 1: 0.9, 2: 0.1 } : guessing(text)

test('a probable text is decoded once', async () => {
  const { graphs, prompts } = graphsOf(saying([20, 1, 2, 50]))
  const decoded = await decode(graphs)
  expect(decoded).toMatchObject({ tokens: [20, 1, 2, 50], isFinished: true })
  expect(prompts).toHaveLength(1)
})

test('returns the log-probability of each token, and their mean with the end', async () => {
  const next = (text: readonly number[]): Probabilities => (text.length === 0 ? { 1: 0.5, 2: 0.5 } : { [end]: 1 })
  const { logProbabilities, meanLogProbability } = await decode(graphsOf(next).graphs)
  expect(logProbabilities).toEqual([expect.closeTo(Math.log(0.5))])
  expect(meanLogProbability).toBeCloseTo(Math.log(0.5) / 2)
})

test.each([
  [0, 0.2, 6],
  [0.4, 0.2, 4],
  [0, 0.4, 3],
  [0, 0, 1],
  [0.6, 0, 1],
])('an improbable text from temperature %d in steps of %d is decoded %d times', async (temperature, step, count) => {
  const { graphs, prompts } = graphsOf(guessing)
  await decode(graphs, { decoding: { temperature, temperatureStep: step } })
  expect(prompts).toHaveLength(count)
})

test('an improbable text of silence is decoded once', async () => {
  const { graphs, prompts } = graphsOf(guessing, { [noSpeech]: 9 })
  const { noSpeechProbability } = await decode(graphs)
  // The probabilities of the words at the first position sum to 1.
  expect(noSpeechProbability).toBeCloseTo(0.9)
  expect(prompts).toHaveLength(1)
})

test('of several improbable texts, the most probable one is returned', async () => {
  // Only a higher temperature avoids the first word, which leads only to improbable texts.
  const next = (text: readonly number[]): Probabilities => {
    if (text.length === 0) return { 1: 0.6, 2: 0.4 }
    return text[0] === 1 ? guessing(text) : { [end]: 1 }
  }
  const { graphs, prompts } = graphsOf(next)
  const { tokens } = await decode(graphs, { decoding: { logProbabilityThreshold: -0.1 } })
  expect(tokens).toEqual([2])
  expect(prompts).toHaveLength(6)
})

test('a text that repeats itself is decoded again, although it is probable', async () => {
  const changes = { n_text_ctx: '128' }
  const { graphs, prompts } = graphsOf(looping)
  const { tokens } = await decode(graphs, { metadata: changes, decoding: { logProbabilityThreshold: -2 } })
  expect(prompts.length).toBeGreaterThan(1)
  expect(tokens).toContain(2)
})

test('a text that repeats itself is returned only where all do', async () => {
  const changes = { n_text_ctx: '128' }
  const rejectsAll = { logProbabilityThreshold: 1, temperatureStep: 0.5 }
  const { tokens, isFinished } = await decode(graphsOf(looping).graphs, { metadata: changes, decoding: rejectsAll })
  expect(tokens).toContain(2)
  expect(isFinished).toBe(true)

  const hopeless = await decode(graphsOf(() => ({ 1: 1 })).graphs, { metadata: changes, decoding: rejectsAll })
  expect(new Set(hopeless.tokens)).toEqual(new Set([1]))
  expect(hopeless.isFinished).toBe(false)
})

test('a text is complete where its last segment ends at the end of the audio, of 40 positions', async () => {
  expect((await decode(graphsOf(saying([20, 1, 55, 55, 2])).graphs)).tokens).toEqual([20, 1, 55])
  expect((await decode(graphsOf(saying([20, 1, 54, 54, 2])).graphs)).tokens).toEqual([20, 1, 54, 54, 2])
})

test('a text has half of the context, without the prompt', async () => {
  const { graphs } = graphsOf(() => ({ 1: 1 }))
  const { tokens } = await decode(graphs, { decoding: { temperatureStep: 0 } })
  // 32 / 2, minus the start, language and task tokens.
  expect(tokens).toHaveLength(13)
})

test('samples several texts at temperatures above 0, and beam search keeps several at 0', async () => {
  // The more probable first word leads to a less probable text.
  const next = (text: readonly number[]): Probabilities => {
    if (text.length === 0) return { 1: 0.6, 2: 0.4 }
    return text[0] === 1 && text.length < 3 ? { 3: 0.4, 4: 0.3, 5: 0.3 } : { [end]: 1 }
  }
  const greedy = await decode(graphsOf(next).graphs, { decoding: { temperatureStep: 0 } })
  expect(greedy.tokens).toEqual([1, 3, 3])
  const beam = await decode(graphsOf(next).graphs, { decoding: { temperatureStep: 0, beamSize: 5 } })
  expect(beam.tokens).toEqual([2])
  const sampled = { temperature: 1, temperatureStep: 0, bestOf: 20 }
  expect((await decode(graphsOf(next).graphs, { decoding: sampled })).tokens).toEqual([2])
})

test.each([
  ['a language', 'fa', {}, [start, persian, transcribe]],
  ['a language that the model does not have', 'ps', {}, [start, transcribe]],
  ['an English-only model', 'en', { is_multilingual: '0' }, [start]],
])('begins the text with what the model expects of %s', async (_, language, changes, expected) => {
  const { graphs, prompts } = graphsOf(saying([1]))
  const { tokens } = await decode(graphs, { language, metadata: changes })
  expect(prompts).toEqual([expected])
  expect(tokens).toEqual([1])
})

test('a prompt is text before the start, of which the end is kept where it is too long', async () => {
  const { graphs, prompts } = graphsOf(saying([1]))
  await decode(graphs, { prompt: [4, 5] })
  expect(prompts).toEqual([[previous, 4, 5, start, english, transcribe]])

  const long = graphsOf(saying([1]))
  await decode(long.graphs, { prompt: [...Array.from({ length: 100 }, () => 4), 5] })
  expect(long.prompts[0]).toEqual([previous, ...Array.from({ length: 14 }, () => 4), 5, start, english, transcribe])
})

test('the probabilities of the languages sum to 1, whatever else is probable', async () => {
  const { graphs, openTexts } = graphsOf(() => ({}), { [english]: 0.1, [persian]: 0.3, [transcribe]: 0.6 })
  const vocabulary = readVocabulary(toyWhisperMetadata())
  expect(await computeLanguageProbabilities(audio, { graphs, vocabulary })).toEqual({
    en: expect.closeTo(0.25),
    fa: expect.closeTo(0.75),
  })
  expect(openTexts()).toBe(0)
})

test('an English-only model hears English', async () => {
  const vocabulary = readVocabulary(toyWhisperMetadata({ is_multilingual: '0' }))
  const { graphs, prompts } = graphsOf(() => ({}))
  expect(await computeLanguageProbabilities(audio, { graphs, vocabulary })).toEqual({ en: 1 })
  expect(prompts).toEqual([])
})

test('releases each text, also where decoding stops', async () => {
  const done = graphsOf(guessing)
  await decode(done.graphs)
  expect(done.openTexts()).toBe(0)

  const stopped = graphsOf(saying([1, 2]))
  const signal = AbortSignal.abort(new Error('stopped'))
  await expect(decode(stopped.graphs, { signal })).rejects.toThrow('stopped')
  expect(stopped.openTexts()).toBe(0)
})
