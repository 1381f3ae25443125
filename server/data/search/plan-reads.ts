import { decodeFirstWords, findBlocks } from './blocks.ts'
import { blockId, firstWordsId, type Segment } from './segments.ts'

/** A word of the index, or a prefix of words. */
export interface WantedWord {
  word: string
  isPrefix: boolean
  /** The ids of segments known not to contain the word. */
  missingIn?: ReadonlySet<string>
}

/** The ids of blocks that may contain a word, and their approximate size in bytes. */
export interface ReadPlan {
  ids: string[]
  bytes: number
}

/** After the highest UTF-16 unit: no word begins with it. */
const lastUnit = '\uffff'

/** Returns the ids of the blocks that list the first words of other blocks. */
export function listFirstWordsIds(segments: Segment[]): string[] {
  return segments.filter(({ blockCount }) => blockCount > 1).map(({ id }) => firstWordsId(id))
}

/** Returns which blocks to read for a word. `lists` are the blocks of `listFirstWordsIds`, by their ids. */
export function planReads(
  segments: Segment[],
  lists: ReadonlyMap<string, Uint8Array>,
  { word, isPrefix, missingIn }: WantedWord,
): ReadPlan {
  let bytes = 0
  const ids = segments.flatMap(({ id, blockCount, sizeBytes }) => {
    if (missingIn?.has(id)) return []
    const firstWords = lists.get(firstWordsId(id))
    const { from, to } = firstWords
      ? findBlocks(decodeCached(firstWords), word, isPrefix ? word + lastUnit : word)
      : { from: 0, to: blockCount }
    bytes += (sizeBytes / Math.max(1, blockCount)) * (to - from)
    return Array.from({ length: to - from }, (_, number) => blockId(id, from + number))
  })
  return { ids, bytes }
}

const decoded = new WeakMap<Uint8Array, string[]>()

function decodeCached(firstWords: Uint8Array): string[] {
  let words = decoded.get(firstWords)
  if (!words) {
    words = decodeFirstWords(firstWords)
    decoded.set(firstWords, words)
  }
  return words
}
