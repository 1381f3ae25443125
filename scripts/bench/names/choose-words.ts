import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { foldedWords, foldTranscript } from '#engine/evaluate/fold-transcript.ts'
import { compareWords } from '#engine/evaluate/word-differences.ts'
import { seededRandom } from '#engine/speech/seeded-random.ts'
import { realDataDir } from '#testing/real-data.ts'
import type { Clip, Corpus } from '../voices/clips.ts'

/** Shorter words are rarely names, and common ones never. */
const minLetters = 5
const maxOccurrences = 3

const newsOf: Record<Corpus, string> = { en: 'en', ar: 'ar', fa: 'fa', prs: 'prs' }

interface Candidate {
  /** As spelled in the reference. */
  word: string
  said: number
  heard: number
}

/**
 * Returns words of the references to put on a list: half of them missed at least once without a list, half always recognized, drawn with
 * the seed from the words of 5 or more letters that are said at most three times in the clips.
 *
 * @param texts what was recognized without a list, by the path of the clip
 */
export function chooseWords(
  clips: readonly Clip[],
  texts: ReadonlyMap<string, string>,
  { count, seed }: { count: number; seed: number },
): string[] {
  const candidates = new Map<string, Candidate>()
  for (const clip of clips) {
    for (const difference of compareWords(clip.transcript, texts.get(clip.path) ?? '')) {
      if (difference.kind === 'extra') continue
      const word = difference.kind === 'missing' ? difference.word : referenceOf(difference)
      const folded = foldTranscript(word)
      const known = candidates.get(folded) ?? { word: spellingOf(folded, clip), said: 0, heard: 0 }
      candidates.set(folded, {
        ...known,
        said: known.said + 1,
        heard: known.heard + (difference.kind === 'same' ? 1 : 0),
      })
    }
  }
  const eligible = [...candidates]
    .filter(([folded, { said }]) => folded.length >= minLetters && said <= maxOccurrences)
    .map(([, candidate]) => candidate)
  const drawn = shuffle(eligible, seed)
  const missed = drawn.filter(({ heard, said }) => heard < said).slice(0, Math.ceil(count / 2))
  const recognized = drawn.filter(({ heard, said }) => heard === said).slice(0, count - missed.length)
  return [...missed, ...recognized].map(({ word }) => word)
}

/** Returns words from news in the language that no clip contains: listed words that no one says. */
export async function chooseDecoys(
  corpus: Corpus,
  clips: readonly Clip[],
  { count, seed }: { count: number; seed: number },
): Promise<string[]> {
  const news = await readFile(join(realDataDir, 'translation', `ntrex-1-500.${newsOf[corpus]}.txt`), 'utf8')
  const said = new Set(clips.flatMap(({ transcript }) => foldedWords(transcript)))
  const words = new Map((news.match(/[\p{L}\p{M}]+/gu) ?? []).map((word) => [foldTranscript(word), word]))
  const unsaid = [...words].filter(([folded]) => folded.length >= minLetters && !said.has(folded))
  return shuffle(
    unsaid.map(([, word]) => word),
    seed,
  ).slice(0, count)
}

function referenceOf(difference: { word: string; expected?: string }): string {
  return difference.expected ?? difference.word
}

/** Returns a word as the reference spells it, with its marks. */
function spellingOf(folded: string, { transcript }: Clip): string {
  const words = transcript.match(/[\p{L}\p{N}\p{M}\p{Cf}'’ʼ‘`]+/gu) ?? []
  return words.find((word) => foldTranscript(word) === folded) ?? folded
}

/** Returns the items in an order determined by the seed. */
export function shuffle<Item>(items: readonly Item[], seed: number): Item[] {
  const random = seededRandom(seed)
  const ranked = items.map((item) => ({ item, rank: random() }))
  return ranked.toSorted((a, b) => a.rank - b.rank).map(({ item }) => item)
}
