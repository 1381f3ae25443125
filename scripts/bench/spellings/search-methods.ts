import { compareNames } from '#contract/name-sounds/name-sound.ts'
import { soundOfName } from '#contract/name-sounds/names-in-text.ts'
import { searchKeys, storedKeys } from '#contract/name-sounds/sound-key.ts'
import { wordsOf, type NameSpellings } from './names.ts'
import { scoreMethod, type SearchMethod } from './score.ts'

const minPrecision = 0.9

/** Returns the search for words as typed, trigrams of letters, trigrams of letters in Latin script, and the comparison by sound. */
export function createSearchMethods(development: NameSpellings[]): SearchMethod[] {
  const folded = remember((spelling) => wordsOf(spelling).join(' '))
  const words: SearchMethod = { name: 'words as typed', isFound: (query, text) => folded(query) === folded(text) }
  return [
    words,
    createTrigrams('trigrams', folded, development),
    createTrigrams('trigrams, in Latin letters', (spelling) => romanize(folded(spelling)), development),
    createSounds(),
  ]
}

function createSounds(): SearchMethod {
  const describe = remember((spelling) => {
    const words = wordsOf(spelling)
    const sound = soundOfName(words)
    return {
      text: words.join(' '),
      sound,
      stored: sound ? storedKeys(sound) : [],
      searched: new Set(sound && searchKeys(sound)),
    }
  })
  return {
    name: 'by sound',
    isFound(query, text) {
      const [a, b] = [describe(query), describe(text)]
      if (a.text === b.text) return true
      if (!a.sound || !b.sound || !b.stored.some((key) => a.searched.has(key))) return false
      return compareNames(a.sound, b.sound) !== undefined
    },
  }
}

/** Compares by Dice's coefficient; its threshold is the one with the highest recall at the required precision, in the development half. */
function createTrigrams(
  name: string,
  toText: (spelling: string) => string,
  development: NameSpellings[],
): SearchMethod {
  const trigrams = remember((spelling) => {
    const text = `  ${toText(spelling)} `
    return new Set(Array.from({ length: text.length - 2 }, (_, at) => text.slice(at, at + 3)))
  })
  const withThreshold = (threshold: number): SearchMethod => ({
    name,
    isFound(query, text) {
      const [a, b] = [trigrams(query), trigrams(text)]
      return (2 * countCommon(a, b)) / (a.size + b.size) >= threshold
    },
  })
  const thresholds = Array.from({ length: 14 }, (_, step) => 0.3 + step * 0.05)
  const precise = thresholds.filter(
    (threshold) => scoreMethod(withThreshold(threshold), development).precision >= minPrecision,
  )
  return withThreshold(precise[0] ?? 1)
}

function countCommon(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  return [...a].filter((trigram) => b.has(trigram)).length
}

function remember<Value>(compute: (spelling: string) => Value): (spelling: string) => Value {
  const known = new Map<string, Value>()
  return (spelling) => {
    const before = known.get(spelling)
    if (before !== undefined) return before
    const value = compute(spelling)
    known.set(spelling, value)
    return value
  }
}

const latinLetters = {
  ا: 'a',
  ب: 'b',
  پ: 'p',
  ت: 't',
  ٹ: 't',
  ث: 's',
  ج: 'j',
  چ: 'ch',
  ح: 'h',
  خ: 'kh',
  د: 'd',
  ڈ: 'd',
  ذ: 'z',
  ر: 'r',
  ڑ: 'r',
  ز: 'z',
  ژ: 'zh',
  ځ: 'z',
  څ: 's',
  ږ: 'zh',
  ښ: 'sh',
  س: 's',
  ش: 'sh',
  ص: 's',
  ض: 'z',
  ط: 't',
  ظ: 'z',
  ع: '',
  غ: 'gh',
  ف: 'f',
  ق: 'q',
  ک: 'k',
  گ: 'g',
  ل: 'l',
  م: 'm',
  ن: 'n',
  ں: 'n',
  ڼ: 'n',
  و: 'w',
  ه: 'h',
  ھ: 'h',
  ی: 'i',
  ے: 'e',
  ء: '',
} as const satisfies Record<string, string>

/** Transliterates Arabic script letter by letter into Latin script. */
function romanize(text: string): string {
  const letters = new Map<string, string>(Object.entries(latinLetters))
  return [...text].map((letter) => letters.get(letter) ?? letter).join('')
}
