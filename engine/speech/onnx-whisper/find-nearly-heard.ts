import { logSumExp } from '#engine/onnx/numbers.ts'
import type { NearlyHeard } from '../backend/speech-backend.ts'
import { keywordProbability, type KeywordEvidence } from '../nearly-heard/keyword-probability.ts'
import { createNearKeywordFinder, type NearKeyword } from '../nearly-heard/near-keywords.ts'
import type { TokenTable } from './token-table.ts'
import type { WhisperVocabulary } from './vocabulary.ts'
import type { DecoderSession, EncodedAudio, WhisperGraphs } from './whisper-graphs.ts'

/** A word of a decoded text. */
interface DecodedWord {
  text: string
  /** Indices into the tokens of the text, ascending. */
  tokens: readonly number[]
}

export interface NearlyHeardOptions {
  graphs: Pick<WhisperGraphs, 'startSession'>
  vocabulary: WhisperVocabulary
  table: Pick<TokenTable, 'encode' | 'beginsWord'>
  /** ISO 639-1 code. */
  language: string
  keywords: readonly string[]
  signal?: AbortSignal
}

interface DecodedWords {
  /** Text and timestamps. */
  tokens: readonly number[]
  /** Log-probability of each token. */
  logProbabilities: readonly number[]
  words: readonly DecodedWord[]
}

/** Less probable keywords are not returned: in trials, most of those had not been said. */
const minProbability = 0.8
/** Maximum number of places in a window at which keywords are scored, those with the nearest ones: each takes a few decoder steps. */
const maxPlaces = 4

/**
 * Returns keywords that may have been said instead of words in a text, by the index of the first word: those that sound like the written
 * words and that the model considers probable when it reads them after the preceding text. Decodes nothing if no keyword sounds alike.
 */
export async function findNearlyHeard(
  audio: EncodedAudio,
  { tokens, logProbabilities, words }: DecodedWords,
  options: NearlyHeardOptions,
): Promise<Map<number, NearlyHeard[]>> {
  const { graphs, vocabulary, language, keywords, signal } = options
  const near = createNearKeywordFinder(keywords)(words.map(({ text }) => text))
  const places = choosePlaces(near)
  const found = new Map<number, NearlyHeard[]>()
  if (places.length === 0) return found
  const mean = logProbabilities.reduce((sum, each) => sum + each, 0) / Math.max(1, logProbabilities.length)
  const { startOfTranscript, languages, task } = vocabulary
  const languageToken = languages.get(language)
  const base = graphs.startSession(audio)
  try {
    let pending = [startOfTranscript, ...(languageToken === undefined ? [] : [languageToken]), ...task]
    let read = 0
    for (const [first, candidates] of places) {
      signal?.throwIfAborted()
      const from = words[first]?.tokens[0] ?? 0
      pending.push(...tokens.slice(read, from))
      // Two words never begin with the same token.
      const logits = await base.append(pending)
      pending = []
      read = from
      const heard = candidates.map((candidate) => ({
        ...candidate,
        letters: candidate.letters.length,
        ...heardAt(words.slice(first, first + candidate.count), logProbabilities),
        meanLogProbability: mean,
      }))
      const hits = await scoreKeywords(base, { logits, candidates: heard }, options)
      if (hits.length > 0) found.set(first, hits)
    }
    return found
  } finally {
    base.release()
  }
}

/** Returns the candidates at each place, in the order of the text; if there are too many places, those with the nearest keywords. */
function choosePlaces(near: readonly NearKeyword[]): [number, NearKeyword[]][] {
  const places = [...Map.groupBy(near, ({ first }) => first)]
  const distanceOf = ([, [nearest]]: [number, NearKeyword[]]) => nearest?.distance ?? 0
  return places
    .toSorted((one, other) => distanceOf(one) - distanceOf(other))
    .slice(0, maxPlaces)
    .toSorted(([one], [other]) => one - other)
}

function heardAt(
  words: readonly DecodedWord[],
  logProbabilities: readonly number[],
): Pick<KeywordEvidence, 'heardLogProbability' | 'heardTokens'> {
  const own = words.flatMap(({ tokens }) => tokens.map((token) => logProbabilities[token] ?? 0))
  return { heardLogProbability: own.reduce((sum, each) => sum + each, 0), heardTokens: Math.max(1, own.length) }
}

type HeardKeyword = Pick<NearKeyword, 'keyword' | 'count'> &
  Omit<KeywordEvidence, 'logProbability' | 'endLogProbability'>

interface Attempt {
  candidate: HeardKeyword
  tokens: readonly number[]
  /** Log-probability of the tokens read so far. */
  logProbability: number
  /** Number of tokens read so far. */
  read: number
}

/** Returns the probable keywords at one place, each once, the most probable first. `logits` are those of the first token there. */
async function scoreKeywords(
  base: DecoderSession,
  { logits, candidates }: { logits: Float32Array; candidates: readonly HeardKeyword[] },
  { table, vocabulary, language, signal }: NearlyHeardOptions,
): Promise<NearlyHeard[]> {
  const hits = new Map<string, NearlyHeard>()
  const attempts = candidates.flatMap((candidate) =>
    spellingsOf(candidate.keyword, language).map((spelling) => {
      const tokens = table.encode(` ${spelling}`)
      return { candidate, tokens, logProbability: 0, read: 0 }
    }),
  )
  const firstSum = logSumExp(logits)
  let open = attempts.flatMap((attempt) => readToken(attempt, logits, firstSum) ?? [])
  if (open.length === 0) return []
  const fork = base.fork()
  try {
    let sources = open.map(() => 0)
    while (open.length > 0) {
      signal?.throwIfAborted()
      const rows = await fork.advance(
        sources,
        open.map(({ tokens, read }) => tokens[read - 1] ?? 0),
      )
      const kept: { attempt: Attempt; source: number }[] = []
      for (const [source, attempt] of open.entries()) {
        const row = rows[source] ?? new Float32Array()
        const sum = logSumExp(row)
        if (attempt.read < attempt.tokens.length) {
          const next = readToken(attempt, row, sum)
          if (next) kept.push({ attempt: next, source })
          continue
        }
        const { keyword, count } = attempt.candidate
        const probability = probabilityOf(attempt, endOfWord(row, sum, { table, vocabulary }))
        const known = hits.get(keyword)
        if (probability >= Math.max(minProbability, known?.probability ?? 0))
          hits.set(keyword, { keyword, count, probability })
      }
      open = kept.map(({ attempt }) => attempt)
      sources = kept.map(({ source }) => source)
    }
  } finally {
    fork.release()
  }
  return [...hits.values()].toSorted((one, other) => other.probability - one.probability)
}

/** Reads the next token of a keyword; undefined if the keyword can no longer become probable. */
function readToken(attempt: Attempt, row: Float32Array, logSum: number): Attempt | undefined {
  const token = attempt.tokens[attempt.read]
  if (token === undefined) return undefined
  const logProbability = attempt.logProbability + (row[token] ?? -Infinity) - logSum
  const next = { ...attempt, logProbability, read: attempt.read + 1 }
  return probabilityOf(next, 0) >= minProbability ? next : undefined
}

function probabilityOf({ candidate, logProbability }: Attempt, endLogProbability: number): number {
  return keywordProbability({ ...candidate, logProbability, endLogProbability })
}

/** Returns the log-probability of the most probable token that completes the preceding word. */
function endOfWord(
  row: Float32Array,
  logSum: number,
  { table, vocabulary }: Pick<NearlyHeardOptions, 'table' | 'vocabulary'>,
): number {
  let best = -Infinity
  for (const [token, logit] of row.entries()) {
    if (logit > best && (token >= vocabulary.endOfText || table.beginsWord(token))) best = logit
  }
  return best - logSum
}

/** Returns the ways in which the model may write a keyword, which is stored in lower case and with the letters of any keyboard. */
function spellingsOf(keyword: string, language: string): string[] {
  const letters = language === 'ar' ? arabicLetters : persianLetters
  const usual = keyword.replaceAll(/[يكیک]/gu, (letter) => letters[letter] ?? letter)
  return [...new Set([usual, usual.replaceAll(/(?<!\p{L})\p{Ll}/gu, (letter) => letter.toUpperCase())])]
}

const arabicLetters: Partial<Record<string, string>> = { ی: 'ي', ک: 'ك' }
const persianLetters: Partial<Record<string, string>> = { ي: 'ی', ك: 'ک' }
