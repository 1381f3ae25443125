import { parseArgs } from 'node:util'
import { defaultKeywords } from '#contract/keywords/defaults.ts'
import { createKeywordMatcher } from '#contract/keywords/find-keywords.ts'
import { keywordCategories, noKeywords } from '#contract/keywords/keywords.ts'
import type { Keywords } from '#contract/keywords/keywords.ts'
import { seededRandom } from '#engine/speech/seeded-random.ts'
import { measureRealText } from './keywords/real-text.ts'

const alphabets = ['abcdefghijklmnoprstuw', 'ابپتټجځڅخدډرړزژسشښغفقکګلمنڼوهیې', 'ابپتٹجچخدڈرزسشغفقکگلمنںوہھیے']
const runs = 5

/**
 * Without arguments, how long a keyword scan takes, and how that grows with the text and with the number of keywords. The text is mixed
 * English, Pashto and Urdu with a keyword about every tenth word; each figure is the median of five scans, including the
 * preparation of the keywords. With --lines, what is found in transcripts of people: see measureRealText.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { lines: { type: 'string', multiple: true } } })
  if (values.lines) return measureRealText(values.lines)
  for (const isSimilar of [false, true]) measureScans({ isSimilar })
}

function measureScans({ isSimilar }: { isSimilar: boolean }): void {
  console.log(isSimilar ? '\nWith "sounds like" for every keyword' : 'As written')
  const base = measure({ characters: 1_000_000, keywordCount: 500, isSimilar })
  console.log('characters  keywords      hits        ms  times the 1 MB, 500 keyword scan')
  for (const characters of isSimilar ? [250_000, 1_000_000] : [250_000, 1_000_000, 4_000_000]) {
    for (const keywordCount of isSimilar ? [50, 500] : [50, 500, 5000]) {
      const { ms, hits } = measure({ characters, keywordCount, isSimilar })
      const cells = [String(characters).padStart(10), String(keywordCount).padStart(8), String(hits).padStart(8)]
      console.log([...cells, ms.toFixed(1).padStart(8), (ms / base.ms).toFixed(2)].join('  '))
    }
  }
}

interface Scan {
  characters: number
  keywordCount: number
  /** Whether similar words also count as occurrences of each keyword. */
  isSimilar: boolean
}

function measure({ characters, keywordCount, isSimilar }: Scan) {
  const random = seededRandom(7)
  const lists = makeKeywords(keywordCount, random)
  const keywords = isSimilar ? { ...lists, sounds_like: keywordCategories.flatMap((name) => lists[name]) } : lists
  const text = makeText(characters, lists, random)
  const times: number[] = []
  let hits = 0
  for (let index = 0; index < runs; index++) {
    const startedAt = performance.now()
    hits = createKeywordMatcher(keywords)(text).length
    times.push(performance.now() - startedAt)
  }
  return { ms: times.toSorted((a, b) => a - b)[Math.floor(runs / 2)] ?? 0, hits }
}

function makeKeywords(count: number, random: () => number): Keywords {
  const keywords = noKeywords()
  const builtIn = keywordCategories.flatMap((category) => defaultKeywords[category])
  for (let index = 0; index < count; index++) {
    const category = keywordCategories[index % keywordCategories.length] ?? 'custom'
    keywords[category].push(builtIn[index] ?? makeWord(random))
  }
  return keywords
}

function makeText(characters: number, keywords: Keywords, random: () => number): string {
  const words = keywordCategories.flatMap((category) => keywords[category])
  const parts: string[] = []
  for (let length = 0; length < characters;) {
    const isKeyword = random() < 0.1
    const word = isKeyword ? (words[Math.floor(random() * words.length)] ?? '') : makeWord(random)
    parts.push(word)
    length += word.length + 1
  }
  return parts.join(' ').slice(0, characters)
}

function makeWord(random: () => number): string {
  const alphabet = alphabets[Math.floor(random() * alphabets.length)] ?? ''
  const letters = Array.from(
    { length: 2 + Math.floor(random() * 7) },
    () => alphabet[Math.floor(random() * alphabet.length)],
  )
  return letters.join('')
}
