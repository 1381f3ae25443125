import type { Segment, Word } from './transcription.ts'

type EditedText = Pick<Segment, 'start' | 'end' | 'text'>

/** Above this number of pairs, only the beginning and the end of a text are compared: far more than any speech of lines that belong together. */
const maxComparedPairs = 4_000_000

/** A character of a script that is written without blanks is a token of its own. */
const token =
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}]\p{M}*|[^\s\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}]+/gu

/**
 * Returns the words of each edited line: a word that the engine wrote, by the longest common subsequence of all words, keeps its times and
 * confidence; the others share the time between their neighbours by their length, without confidence. Words stay within their line.
 * Returns undefined where the engine wrote no words.
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

/** Splits a word of the engine like the text of a person; the pieces share its time by their length. */
function toTokens(word: Word): Word[] {
  const pieces = tokensOf(word.text)
  if (pieces.length < 2) return pieces.map((text) => ({ ...word, text }))
  return spread(pieces, word).map((piece) => ({ ...word, ...piece }))
}

/** Returns for each text the word of the engine that it is; undefined where there is none. */
function alignTokens(texts: string[], words: Word[]): (Word | undefined)[] {
  const same = (text: number, word: number) => texts[text]?.normalize() === words[word]?.text.normalize()
  const shorter = Math.min(texts.length, words.length)
  let head = 0
  while (head < shorter && same(head, head)) head += 1
  let tail = 0
  while (tail < shorter - head && same(texts.length - 1 - tail, words.length - 1 - tail)) tail += 1
  const middle = alignMiddle(texts.slice(head, texts.length - tail), words.slice(head, words.length - tail))
  return [...words.slice(0, head), ...middle, ...words.slice(words.length - tail)]
}

/** Returns the longest common subsequence, as alignTokens does. */
function alignMiddle(texts: string[], words: Word[]): (Word | undefined)[] {
  const width = words.length + 1
  if (texts.length * words.length > maxComparedPairs) return texts.map(() => undefined)
  const same = (text: number, word: number) => texts[text]?.normalize() === words[word]?.text.normalize()
  // lengths[i * width + j]: of the longest common subsequence of all from text i and word j on.
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
  return texts.map((_, i) => {
    // A word is skipped while nothing is lost by it.
    while (j < words.length && !same(i, j) && lengthAt(i, j + 1) === lengthAt(i, j)) j += 1
    if (j === words.length || !same(i, j)) return undefined
    j += 1
    return words[j - 1]
  })
}

/** Returns the words of one line with times within it. */
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

/** Divides a time among texts by their length. */
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
