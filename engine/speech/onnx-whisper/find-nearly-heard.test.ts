import { expect, test } from 'vitest'
import { findNearlyHeard } from './find-nearly-heard.ts'
import { toyWhisperMetadata } from './testing/metadata.ts'
import { readVocabulary } from './vocabulary.ts'
import type { DecoderSession } from './whisper-graphs.ts'

const size = 25
/** The tokens of words; token 9 begins any other word. */
const spellings = new Map([
  [' weapon', [1, 2]],
  [' Weapon', [4, 2]],
  [' weapin', [1, 5]],
])
const audio = { tensors: {}, release: () => {} }

function row(probabilities: Record<number, number>): Float32Array {
  const logits = new Float32Array(size).fill(-30)
  for (const [token, probability] of Object.entries(probabilities)) logits[Number(token)] = Math.log(probability)
  return logits
}

/** Returns a model that continues texts with the probabilities from `next`, and records the tokens it reads. */
function createModel(next: (text: readonly number[]) => Record<number, number>) {
  const read: number[][] = []
  let open = 0
  function session(text: readonly number[]): DecoderSession {
    let texts = [[...text]]
    open += 1
    return {
      append: async (tokens) => {
        texts = [[...(texts[0] ?? []), ...tokens]]
        read.push([...tokens])
        return row(next(texts[0] ?? []))
      },
      advance: async (sources, tokens) => {
        texts = sources.map((source, index) => [...(texts[source] ?? []), tokens[index] ?? -1])
        return texts.map((each) => row(next(each)))
      },
      fork: () => session(texts[0] ?? []),
      release: () => {
        open -= 1
      },
    }
  }
  return { graphs: { startSession: () => session([]) }, read, openSessions: () => open }
}

function look(model: ReturnType<typeof createModel>, keywords: string[], texts = ['my', 'weapin', 'here']) {
  const tokens = [20, 6, 1, 5, 7, 40]
  const words = [[1], [2, 3], [4]].map((own, index) => ({ text: texts[index] ?? '', tokens: own }))
  return findNearlyHeard(
    audio,
    { tokens, logProbabilities: tokens.map(() => -1), words },
    {
      graphs: model.graphs,
      vocabulary: readVocabulary(toyWhisperMetadata()),
      table: { encode: (text) => spellings.get(text) ?? [8], beginsWord: (id) => id === 9 },
      language: 'en',
      keywords,
    },
  )
}

/** Hears "weapon" with this probability for its second token. */
const hearing =
  (second: number) =>
  (text: readonly number[]): Record<number, number> => {
    if (text.at(-1) === 2) return { 9: 1 }
    return text.at(-1) === 1 ? { 5: 1 - second, 2: second } : { 1: 0.8, 4: 0.01 }
  }

test('a keyword that the model takes for probable in place of a word is found there', async () => {
  const model = createModel(hearing(0.6))
  const found = await look(model, ['weapon', 'kandahar'])
  expect([...found.keys()]).toEqual([1])
  expect(found.get(1)).toMatchObject([{ keyword: 'weapon', count: 1, probability: expect.any(Number) }])
  // The text before the word, preceded by the start, language and task tokens.
  expect(model.read).toEqual([[11, 12, 15, 20, 6]])
  expect(model.openSessions()).toBe(0)
})

test('an improbable one is not', async () => {
  const model = createModel(hearing(1e-9))
  expect(await look(model, ['weapon'])).toEqual(new Map())
  expect(model.openSessions()).toBe(0)
})

test('the model reads nothing where no keyword sounds like what it wrote', async () => {
  const model = createModel(hearing(0.6))
  expect(await look(model, ['kandahar'])).toEqual(new Map())
  expect(await look(model, ['weapon'], ['my', 'weapon', 'here'])).toEqual(new Map())
  expect(model.read).toEqual([])
})
