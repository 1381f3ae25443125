import { foldedWords } from '#engine/evaluate/fold-transcript.ts'
import { soundDistance } from '#engine/speech/word-lists/sound-distance.ts'
import { chooseDecoys, shuffle } from '../names/choose-words.ts'
import type { Clip, Corpus } from '../voices/clips.ts'

/** Shorter words are rarely worth a keyword. */
const minLetters = 5
/** Nobody looks for words that are said more often. */
const maxOccurrences = 3

/**
 * Returns lists of keywords as people type them, in lower case and without vowel marks. Half of each list are words of 5 or more letters
 * said at most three times in the clips, drawn with a seed, each in only one list; half are words from news in the language that no clip
 * contains.
 */
export async function chooseKeywordLists(
  corpus: Corpus,
  clips: readonly Clip[],
  { lists, length, seed }: { lists: number; length: number; seed: number },
): Promise<string[][]> {
  const spellings = new Map<string, string>()
  const counts = new Map<string, number>()
  for (const { transcript } of clips) {
    for (const word of transcript.match(/[\p{L}\p{N}\p{M}\p{Cf}'’]+/gu) ?? []) {
      const folded = foldedWords(word).join('')
      counts.set(folded, (counts.get(folded) ?? 0) + 1)
      if (!spellings.has(folded)) spellings.set(folded, typed(word))
    }
  }
  const rare = [...counts].filter(([word, count]) => word.length >= minLetters && count <= maxOccurrences)
  const said = shuffle(
    rare.map(([word]) => spellings.get(word) ?? word),
    seed,
  )
  const half = Math.floor(length / 2)
  const unsaid = await chooseDecoys(corpus, clips, { count: half * lists, seed })
  return Array.from({ length: lists }, (_, list) => [
    ...said.slice(list * half, (list + 1) * half),
    ...unsaid.slice(list * half, (list + 1) * half).map(typed),
  ])
}

function typed(word: string): string {
  return word.replaceAll(/[\p{M}\u0640]/gu, '').toLowerCase()
}

/** Whether a text contains another form of a word: with something before or after it, or spelled with other vowels. */
export function isOtherForm(word: string, words: readonly string[]): boolean {
  return words.some(
    (other) =>
      (other.length >= 3 && (word.includes(other) || other.includes(word))) || soundDistance(word, other, 0.5) <= 0.5,
  )
}
