import { indicesOfLargest } from '#engine/onnx/numbers.ts'
import type { ApplyTokenRules, TokenScores } from './token-rules.ts'

/** A text under construction. */
export interface TextHypothesis {
  /** Text and timestamps, without the end token. */
  tokens: readonly number[]
  /** Log-probability of each token. */
  logProbabilities: readonly number[]
  /** Sum over all tokens, including the end token if it was reached. */
  logProbability: number
  /** Whether the text ended by itself rather than because no tokens were left. */
  isFinished: boolean
}

/** The decoder of one window, after its prompt. */
export interface HypothesisDecoder {
  /** Logits of the first token; may be changed. */
  first: Float32Array
  /**
   * Continues texts: text n is text `sources[n]` of the last call (0 after the prompt) followed by `tokens[n]`. Returns the logits of the
   * next token of each text, which may be changed and are overwritten by the next call.
   */
  advance(sources: readonly number[], tokens: readonly number[]): Promise<Float32Array[]>
}

export interface HypothesisSearchOptions {
  applyRules: ApplyTokenRules
  endOfText: number
  maxTokens: number
  /** A segment that ends at or after this timestamp token completes the text: there is no more audio. */
  lastTimestamp: number
  /** Number of texts continued in parallel; 1 is greedy. */
  width: number
  /** At 0, the most probable texts are kept; above 0, each text is sampled independently. */
  temperature: number
  /** Returns numbers from 0 up to but excluding 1, for sampling. */
  random: () => number
  signal?: AbortSignal
}

interface Candidate {
  source: number
  token: number
  logProbability: number
  total: number
}

/** Returns the texts of one window, at most `width`: by beam search at temperature 0 (greedy for width 1), otherwise by sampling. */
export async function searchHypotheses(
  decoder: HypothesisDecoder,
  options: HypothesisSearchOptions,
): Promise<TextHypothesis[]> {
  const { maxTokens, width, temperature, signal } = options
  const start: TextHypothesis = { tokens: [], logProbabilities: [], logProbability: 0, isFinished: false }
  const first = options.applyRules(decoder.first, [])
  let open = Array.from({ length: temperature > 0 ? width : 1 }, () => start)
  let rows = open.map(() => first)
  const finished: TextHypothesis[] = []
  for (let length = 0; length < maxTokens && open.length > 0 && finished.length < width; length += 1) {
    const candidates = temperature > 0 ? sample(open, rows, options) : findBest(open, rows, width)
    const kept: { source: number; hypothesis: TextHypothesis }[] = []
    for (const candidate of candidates) {
      const hypothesis = extend(open, candidate, options)
      if (hypothesis.isFinished) finished.push(hypothesis)
      else kept.push({ source: length === 0 ? 0 : candidate.source, hypothesis })
      if (kept.length === width) break
    }
    open = kept.map(({ hypothesis }) => hypothesis)
    if (open.length === 0 || finished.length >= width || length + 1 === maxTokens) break
    signal?.throwIfAborted()
    const logits = await decoder.advance(
      kept.map(({ source }) => source),
      open.map(({ tokens }) => tokens.at(-1) ?? 0),
    )
    rows = logits.map((row, index) => options.applyRules(row, open[index]?.tokens ?? []))
  }
  return (finished.length > 0 ? finished : open).slice(0, width)
}

/** Returns the mean log-probability of a text's tokens, including the end token. */
export function meanLogProbability({ tokens, logProbability }: TextHypothesis): number {
  return logProbability / (tokens.length + 1)
}

function extend(
  open: readonly TextHypothesis[],
  { source, token, logProbability, total }: Candidate,
  { endOfText, lastTimestamp }: HypothesisSearchOptions,
): TextHypothesis {
  const before = open[source] ?? { tokens: [], logProbabilities: [] }
  if (token === endOfText) return { ...before, logProbability: total, isFinished: true }
  const previous = before.tokens.at(-1)
  const isEndOfSegment = token > endOfText && previous !== undefined && previous < endOfText
  return {
    tokens: [...before.tokens, token],
    logProbabilities: [...before.logProbabilities, logProbability],
    logProbability: total,
    isFinished: isEndOfSegment && token >= lastTimestamp,
  }
}

/** Returns the most probable continuations of all texts, best first: enough to keep `width` texts open if some of them end. */
function findBest(open: readonly TextHypothesis[], rows: readonly TokenScores[], width: number): Candidate[] {
  const candidates = open.flatMap((hypothesis, source) => {
    const row = rows[source]
    if (!row) return []
    return indicesOfLargest(row.logits, width + 1).map((token) => {
      const logProbability = (row.logits[token] ?? -Infinity) - row.logSum
      return { source, token, logProbability, total: hypothesis.logProbability + logProbability }
    })
  })
  return candidates.toSorted((one, other) => other.total - one.total)
}

function sample(
  open: readonly TextHypothesis[],
  rows: readonly TokenScores[],
  { temperature, random }: HypothesisSearchOptions,
): Candidate[] {
  return open.flatMap((hypothesis, source) => {
    const row = rows[source]
    if (!row) return []
    const token = draw(row.logits, temperature, random())
    const logProbability = (row.logits[token] ?? -Infinity) - row.logSum
    return [{ source, token, logProbability, total: hypothesis.logProbability + logProbability }]
  })
}

/** Returns the index at `point`, 0 to 1, in the distribution given by `logits` at a temperature. */
function draw(logits: Float32Array, temperature: number, point: number): number {
  const top = logits.reduce((one, other) => Math.max(one, other), -Infinity)
  const weight = (logit: number) => Math.exp((logit - top) / temperature)
  const sum = logits.reduce((total, logit) => total + weight(logit), 0)
  let left = point * sum
  let last = 0
  for (const [index, logit] of logits.entries()) {
    if (logit === -Infinity) continue
    last = index
    left -= weight(logit)
    if (left <= 0) break
  }
  return last
}
