import type { StoredLine } from '#data/search/stored-lines.ts'
import { seededRandom } from '#testing/audio.ts'
import { vocabularyLanguages, type Vocabulary } from './vocabularies.ts'

/** Number of lines in a transcript of an hour: one every six seconds. */
export const linesPerHour = 600
const secondsPerLine = 6

/** Generates transcripts in five languages with word frequencies by Zipf's law: the nth word is 1 / n as frequent as the first. */
interface LineGenerator {
  /** Returns the lines of an hour of one call between two speakers in one language. */
  hour(): StoredLine[]
  /** The most frequent words in the language of the first call, commonest first. */
  commonest: string[]
}

interface GeneratorOptions {
  seed: number
  /** Lines per hour; fewer make shorter calls. */
  lineCount: number
  /** One for each of `vocabularyLanguages`. */
  vocabularies: Vocabulary[]
}

export function createLineGenerator({ seed, lineCount, vocabularies }: GeneratorOptions): LineGenerator {
  const random = seededRandom(seed)
  const cumulative = cumulate(Math.min(...vocabularies.map(({ length }) => length)))
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
    const index = hours++ % vocabularyLanguages.length
    return Array.from({ length: lineCount }, (_, number) => {
      const words = Array.from({ length: 5 + Math.floor(random() * 20) }, () => word(index))
      return {
        kind: 'line' as const,
        start: number * secondsPerLine,
        end: number * secondsPerLine + 5.2,
        speaker: random() < 0.5 ? 'Speaker A' : 'Speaker B',
        language: vocabularyLanguages[index] ?? 'en',
        text: `${words.join(' ')}.`,
      }
    })
  }

  return { hour, commonest: vocabularies[0]?.slice(0, 3) ?? [] }
}

function cumulate(count: number): number[] {
  let sum = 0
  return Array.from({ length: count }, (_, index) => (sum += 1 / (index + 1)))
}
