import type { StoredLine } from '#data/search/stored-lines.ts'

/** A transcript of an hour has as many lines: a line every six seconds. */
export const linesPerHour = 600
const secondsPerLine = 6
const wordsPerLanguage = 50_000

/** Letters of which words are made, the common ones several times. */
const alphabets = {
  ps: 'اااابپتټثجځچڅحخدډذرړزژږسشښصضطظعغفقکګلللمننڼوووهههيييېۍ',
  ur: 'اااابپتٹثجچحخدڈذرڑزژسشصضطظعغفقککگلللمنننںووووہہہھیییے',
  fa: 'ااااابپتثجچحخددذررزژسشصضطظعغفقکگللممننننوووههیییی',
  ar: 'اااااابتثجحخدذررزسشصضطظعغفقكلللللمممنننهووويييةى',
  en: 'aaabcddeeeeefghhiiijklmnnnoooprrrsssttttuuvwyz',
}
const languages = Object.keys(alphabets) as (keyof typeof alphabets)[] // of a const object

/** Returns numbers from 0 to 1, the same ones for the same seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Makes transcripts in five languages whose words are as frequent as Zipf's law says: the nth word of a language 1 / n as often as the first. */
interface LineGenerator {
  /** Returns the lines of an hour of one call between two speakers in one language. */
  hour(): StoredLine[]
  /** The words that are said most in the language of the first call, the commonest first. */
  commonest: string[]
}

/** @param lineCount lines of an hour; fewer make shorter calls */
export function createLineGenerator(seed: number, lineCount = linesPerHour): LineGenerator {
  const random = createRandom(seed)
  const vocabularies = languages.map((language, index) => makeWords(alphabets[language], createRandom(index + 1)))
  const cumulative = cumulate(wordsPerLanguage)
  let hours = 0

  function word(language: number): string {
    const at = random() * (cumulative.at(-1) ?? 0)
    let [low, high] = [0, cumulative.length - 1]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((cumulative[middle] ?? 0) < at) low = middle + 1
      else high = middle
    }
    return vocabularies[language]?.[low] ?? ''
  }

  function hour(): StoredLine[] {
    const index = hours++ % languages.length
    return Array.from({ length: lineCount }, (_, number) => {
      const words = Array.from({ length: 5 + Math.floor(random() * 20) }, () => word(index))
      return {
        kind: 'line' as const,
        start: number * secondsPerLine,
        end: number * secondsPerLine + 5.2,
        speaker: random() < 0.5 ? 'Speaker A' : 'Speaker B',
        language: languages[index] ?? 'en',
        text: `${words.join(' ')}.`,
      }
    })
  }

  return { hour, commonest: vocabularies[0]?.slice(0, 3) ?? [] }
}

/** Returns different words; frequent ones are short, as in every language. */
function makeWords(alphabet: string, random: () => number): string[] {
  const letters = [...alphabet]
  const words = new Set<string>()
  while (words.size < wordsPerLanguage) {
    const rank = words.size + 1
    const length = 2 + Math.floor(Math.log10(rank) * (0.6 + random() * 0.9))
    words.add(Array.from({ length }, () => letters[Math.floor(random() * letters.length)]).join(''))
  }
  return [...words]
}

function cumulate(count: number): number[] {
  let sum = 0
  return Array.from({ length: count }, (_, index) => (sum += 1 / (index + 1)))
}
