/** A stretch of a text; `isChanged` if the other text differs there. */
export interface DiffPart {
  text: string
  isChanged: boolean
}

/** Above this number of word pairs, everything between the equal beginnings and ends counts as changed. */
const maxComparedPairs = 1_000_000

/** Splits two texts into parts that they share and parts that differ, by whole words. The parts of a side joined are its text. */
export function diffWords(a: string, b: string): { a: DiffPart[]; b: DiffPart[] } {
  const [wordsA, wordsB] = [splitWords(a), splitWords(b)]
  const common = commonWords(wordsA, wordsB)
  return {
    a: toParts(
      wordsA,
      common.map(([index]) => index),
    ),
    b: toParts(
      wordsB,
      common.map(([, index]) => index),
    ),
  }
}

/** Splits a text into words, each with the whitespace after it. */
function splitWords(text: string): string[] {
  return text.match(/\S+\s*|^\s+/g) ?? []
}

/** Returns the pairs of indexes of a longest common subsequence, ascending. */
function commonWords(a: string[], b: string[]): [number, number][] {
  const [keysA, keysB] = [a.map(toKey), b.map(toKey)]
  const shorter = Math.min(a.length, b.length)
  let head = 0
  while (head < shorter && keysA[head] === keysB[head]) head += 1
  let tail = 0
  while (tail < shorter - head && keysA[a.length - 1 - tail] === keysB[b.length - 1 - tail]) tail += 1
  const middle = commonMiddle(keysA.slice(head, a.length - tail), keysB.slice(head, b.length - tail))
  return [
    ...Array.from({ length: head }, (_, index): [number, number] => [index, index]),
    ...middle.map(([i, j]): [number, number] => [i + head, j + head]),
    ...Array.from({ length: tail }, (_, index): [number, number] => [a.length - tail + index, b.length - tail + index]),
  ]
}

function commonMiddle(a: string[], b: string[]): [number, number][] {
  if (a.length * b.length > maxComparedPairs) return []
  const width = b.length + 1
  // lengths[i * width + j] is the length of the longest common subsequence of the words from i and from j on.
  const lengths = new Uint16Array((a.length + 1) * width)
  const lengthAt = (i: number, j: number) => lengths[i * width + j] ?? 0
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      lengths[i * width + j] =
        a[i] === b[j] ? lengthAt(i + 1, j + 1) + 1 : Math.max(lengthAt(i + 1, j), lengthAt(i, j + 1))
    }
  }
  const pairs: [number, number][] = []
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (a[i] === b[j]) pairs.push([i++, j++])
    else if (lengthAt(i + 1, j) >= lengthAt(i, j + 1)) i += 1
    else j += 1
  }
  return pairs
}

function toKey(word: string): string {
  return word.trim().normalize()
}

function toParts(words: string[], common: number[]): DiffPart[] {
  const isCommon = new Set(common)
  const parts: DiffPart[] = []
  for (const [index, text] of words.entries()) {
    const isChanged = !isCommon.has(index)
    const last = parts.at(-1)
    if (last?.isChanged === isChanged) last.text += text
    else parts.push({ text, isChanged })
  }
  return parts
}
