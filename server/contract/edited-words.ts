import type { Segment, Word } from './transcription.ts'

type EditedText = Pick<Segment, 'start' | 'end' | 'text'>

/**
 * Above this number of pairs, only the beginning and the end of a text are compared. No natural group of lines comes close to it, but a
 * person can edit every line of a long transcript, and all edits are applied each time it is read.
 */
const maxComparedPairs = 1_000_000

/** A character of a script that is written without spaces is a separate token. */
const token =
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}]\p{M}*|[^\s\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}]+/gu

/**
 * Returns the words of each edited line. Words that the engine wrote, matched by the longest common subsequence of all words, keep their
 * times and confidence; the others share the time between their neighbours in proportion to their length and have no confidence. Words
 * stay within their line. Returns undefined when the engine wrote no words.
 */
export function wordsOfLines(lines: EditedText[], written: Segment[]): Word[][] | undefined {
  const before = written.flatMap(({ words = [] }) => words.flatMap(toTokens))
  if (before.length === 0) return undefined
  const texts = lines.map(({ text }) => tokensOf(text))
  const known = alignTokens(texts.flat(), before)
  let at = 0
  return lines.map((line, index) => {
    const own = texts[index] ?? []
    at += own.length
    return placeWords(line, own, known.slice(at - own.length, at))
  })
}

function tokensOf(text: string): string[] {
  return text.match(token) ?? []
}

/** Splits an engine word in the same way as edited text; the pieces share its time in proportion to their length. */
function toTokens(word: Word): Word[] {
  const pieces = tokensOf(word.text)
  if (pieces.length < 2) return pieces.map((text) => ({ ...word, text }))
  return spread(pieces, word).map((piece) => ({ ...word, ...piece }))
}

/** Returns the engine's word for each text; undefined where there is none. */
function alignTokens(texts: string[], words: Word[]): (Word | undefined)[] {
  const keyOf = createKeys()
  const textKeys = Int32Array.from(texts, keyOf)
  const wordKeys = Int32Array.from(words, ({ text }) => keyOf(text))
  const same = (text: number, word: number) => textKeys[text] === wordKeys[word]
  const shorter = Math.min(texts.length, words.length)
  let head = 0
  while (head < shorter && same(head, head)) head += 1
  let tail = 0
  while (tail < shorter - head && same(texts.length - 1 - tail, words.length - 1 - tail)) tail += 1
  const middle = alignMiddle(
    textKeys.subarray(head, texts.length - tail),
    wordKeys.subarray(head, words.length - tail),
  ).map((at) => (at === undefined ? undefined : words[head + at]))
  return [...words.slice(0, head), ...middle, ...words.slice(words.length - tail)]
}

/** Creates a function that maps equal texts to the same number, because they are compared a million times. */
function createKeys(): (text: string) => number {
  const known = new Map<string, number>()
  return (text) => {
    const normalized = text.normalize()
    const key = known.get(normalized) ?? known.size
    known.set(normalized, key)
    return key
  }
}

/** Returns the longest common subsequence as the index of the word for each text; undefined where there is none. */
function alignMiddle(texts: Int32Array, words: Int32Array): (number | undefined)[] {
  const width = words.length + 1
  if (texts.length * words.length > maxComparedPairs) return Array.from(texts, () => undefined)
  const same = (text: number, word: number) => texts[text] === words[word]
  // lengths[i * width + j] is the length of the longest common subsequence from text i and word j onwards.
  const lengths = new Uint16Array((texts.length + 1) * width)
  const lengthAt = (text: number, word: number) => lengths[text * width + word] ?? 0
  for (let i = texts.length - 1; i >= 0; i -= 1) {
    for (let j = words.length - 1; j >= 0; j -= 1) {
      lengths[i * width + j] = same(i, j)
        ? lengthAt(i + 1, j + 1) + 1
        : Math.max(lengthAt(i + 1, j), lengthAt(i, j + 1))
    }
  }
  let j = 0
  return Array.from(texts, (_, i) => {
    // Skip words as long as this does not shorten the subsequence.
    while (j < words.length && !same(i, j) && lengthAt(i, j + 1) === lengthAt(i, j)) j += 1
    if (j === words.length || !same(i, j)) return undefined
    j += 1
    return j - 1
  })
}

/** Returns the words of one line, with times within the line. */
function placeWords(line: EditedText, texts: string[], known: (Word | undefined)[]): Word[] {
  const clamp = (seconds: number) => Math.min(line.end, Math.max(line.start, seconds))
  const words: Word[] = []
  let unplaced: string[] = []
  const placeUntil = (end: number) => {
    const start = words.at(-1)?.end ?? line.start
    words.push(...spread(unplaced, { start, end: Math.max(start, end) }))
    unplaced = []
  }
  for (const [index, text] of texts.entries()) {
    const word = known[index]
    if (word) {
      placeUntil(clamp(word.start))
      const start = clamp(word.start)
      words.push({ ...word, text, start, end: Math.max(start, clamp(word.end)) })
    } else unplaced.push(text)
  }
  placeUntil(line.end)
  return words
}

/** Divides a time span among texts in proportion to their length. */
function spread(texts: string[], { start, end }: { start: number; end: number }): Word[] {
  const total = texts.reduce((sum, { length }) => sum + length, 0)
  let done = 0
  return texts.map((text) => {
    const from = start + ((end - start) * done) / total
    done += text.length
    return { text, start: toMs(from), end: toMs(start + ((end - start) * done) / total) }
  })
}

function toMs(seconds: number): number {
  return Math.round(seconds * 1000) / 1000
}
