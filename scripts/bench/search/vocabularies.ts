import { readNews, type ParallelNews } from '../spellings/news.ts'
import { seededRandom } from '#testing/audio.ts'

/** Words of a language, the commonest first. */
export type Vocabulary = string[]

const wordsPerLanguage = 50_000

/** Letters that words are made from; common ones appear several times. */
const alphabets = {
  ps: 'اااابپتټثجځچڅحخدډذرړزژږسشښصضطظعغفقکګلللمننڼوووهههيييېۍ',
  ur: 'اااابپتٹثجچحخدڈذرڑزژسشصضطظعغفقککگلللمننننںووووہہہھیییے',
  fa: 'ااااابپتثجچحخددذررزژسشصضطظعغفقکگللممننننوووههیییی',
  ar: 'اااااابتثجحخدذررزسشصضطظعغفقكلللللمممنننهووويييةى',
  en: 'aaabcddeeeeefghhiiijklmnnnoooprrrsssttttuuvwyz',
}

type Language = keyof typeof alphabets
export const vocabularyLanguages = Object.keys(alphabets) as Language[] // of a const object

/** Makes the words of each language from random letters; frequent words are short. */
export function makeVocabularies(): Vocabulary[] {
  return vocabularyLanguages.map((language, index) => makeWords(alphabets[language], seededRandom(index + 1)))
}

/**
 * Reads the words of parallel news in order of frequency and makes rarer ones like them: each letter is as likely after the two before it
 * as in the words of the news. The share of ordinary words and names, and the lengths of words, are those of real texts.
 */
export async function readVocabularies(folder: string): Promise<Vocabulary[]> {
  const news = await readNews(folder)
  return vocabularyLanguages.map((language, index) =>
    addLikeWords(listByFrequency(news, language), seededRandom(index + 1)),
  )
}

function listByFrequency(news: ParallelNews, language: Language): string[] {
  const counts = new Map<string, number>()
  for (const [word] of news[language].join('\n').matchAll(/[\p{L}\p{M}\u200c]+/gu))
    counts.set(word, (counts.get(word) ?? 0) + 1)
  return [...counts].toSorted(([, a], [, b]) => b - a).map(([word]) => word)
}

/** Stands before the first letter of a word and after the last. */
const edge = '\n'

function addLikeWords(known: string[], random: () => number): Vocabulary {
  const next = new Map<string, string[]>()
  for (const word of known) {
    const letters = [edge, edge, ...word, edge]
    for (const [index, letter] of letters.entries()) {
      if (index < 2) continue
      const before = letters.slice(index - 2, index).join('')
      const followers = next.get(before)
      if (followers) followers.push(letter)
      else next.set(before, [letter])
    }
  }
  const words = new Set(known)
  while (words.size < wordsPerLanguage) words.add(makeLikeWord(next, random))
  words.delete('')
  return [...words]
}

function makeLikeWord(next: ReadonlyMap<string, string[]>, random: () => number): string {
  let word = ''
  let before = edge + edge
  for (;;) {
    const followers = next.get(before) ?? [edge]
    const letter = followers[Math.floor(random() * followers.length)] ?? edge
    if (letter === edge) return word
    word += letter
    before = [...before].slice(-1).join('') + letter
  }
}

/** Returns distinct words; frequent ones are short, as in every language. */
function makeWords(alphabet: string, random: () => number): Vocabulary {
  const letters = [...alphabet]
  const words = new Set<string>()
  while (words.size < wordsPerLanguage) {
    const rank = words.size + 1
    const length = 2 + Math.floor(Math.log10(rank) * (0.6 + random() * 0.9))
    words.add(Array.from({ length }, () => letters[Math.floor(random() * letters.length)]).join(''))
  }
  return [...words]
}
