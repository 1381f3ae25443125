import { soundsOfLatin } from './latin-sounds.ts'
import { keyClassOf } from './sound.ts'
import { encodeSounds, soundDistance } from './sound-costs.ts'

/** The sound of a word, or of several words that form one name. */
export interface NameSound {
  script: 'latin' | 'arabic'
  /** All ways to read it. */
  readings: string[]
  /** The readings encoded for soundDistance. */
  encoded: string[]
  /** The number of its consonants that are always written. */
  strength: number
}

/** The parts of a sound that are compared. */
export type ComparedSound = Pick<NameSound, 'script' | 'encoded' | 'strength'>

/** In letters: shorter words differ too little from too many others. */
const minLetters = 3
const maxLetters = 40
const latinWord = /^[a-zʼʻʿʾ]+$/u
const arabicWord = /^\p{Script=Arabic}+$/u
const latinArticle = /^(?:al|el|ul|ol|ud|ad|ed|ur|ar|us|as|uz|az|un|an|ush|ash)$/u

const servantOf = /^abd[aeou][lrsndtz]$/u

/** The sound of each folded letter of the Arabic script (see foldText). */
const sounds: Record<string, string> = {
  ا: 'A',
  ب: 'b',
  پ: 'p',
  ت: 't',
  ط: 't',
  ٹ: 't',
  ث: 'þ',
  ج: 'j',
  چ: 'č',
  ح: 'h',
  خ: 'x',
  د: 'd',
  ڈ: 'd',
  ذ: 'ð',
  ض: 'ð',
  ظ: 'ð',
  ر: 'r',
  ڑ: 'ṛ',
  ز: 'z',
  ژ: 'ž',
  ځ: 'ẑ',
  څ: 'ĉ',
  ږ: 'ĝ',
  ښ: 'ŝ',
  س: 's',
  ص: 's',
  ش: 'š',
  ع: 'ʿ',
  غ: 'ġ',
  ف: 'f',
  ڤ: 'w',
  ق: 'q',
  ک: 'k',
  گ: 'g',
  ل: 'l',
  م: 'm',
  ن: 'n',
  ں: 'n',
  ڼ: 'n',
  و: 'W',
  ه: 'h',
  ھ: 'h',
  ی: 'Y',
  ے: 'Y',
}

/**
 * Returns how folded words (see foldText) sound as one name; undefined if they cannot be one: other scripts, digits, too few letters.
 * Articles after the first word are read as articles: Abd al-Rahman, Nizam ud-Din.
 */
export function soundOf(words: readonly string[]): NameSound | undefined {
  const letters = words.join('')
  if (letters.length < minLetters || letters.length > maxLetters) return undefined
  if (arabicWord.test(letters)) return describe('arabic', [soundsOfArabic(letters)])
  if (!latinWord.test(letters)) return undefined
  return describe('latin', readLatin(words))
}

/** Reads the words between articles as one word: Mas'ud, Ahmad Shah. */
function readLatin(words: readonly string[]): string[] {
  let readings = ['']
  let joined = ''
  const append = (ends: string[]) => (readings = readings.flatMap((start) => ends.map((end) => start + end)))
  for (const [index, word] of words.entries()) {
    const isInner = index < words.length - 1
    if (isInner && latinArticle.test(word)) {
      if (joined !== '') append(soundsOfLatin(joined))
      joined = ''
      append(['@ł'])
    } else joined += isInner && servantOf.test(word) ? `${word.slice(0, -1)}l` : word
  }
  return append(soundsOfLatin(joined))
}

function describe(script: NameSound['script'], readings: string[]): NameSound {
  const strength = Math.min(
    ...readings.map((reading) => [...reading].filter((sound) => keyClassOf(sound) !== '').length),
  )
  return { script, readings, encoded: readings.map(encodeSounds), strength }
}

/** Returns how much two names differ, in hundredths of a consonant; undefined if they are not spellings of one name. */
export function compareNames(a: ComparedSound, b: ComparedSound): number | undefined {
  const limit = limitOf(Math.min(a.strength, b.strength))
  const scripts = a.script === b.script ? a.script : 'both'
  let least = Infinity
  for (const one of a.encoded) {
    for (const other of b.encoded) least = Math.min(least, soundDistance(one, other, { scripts, limit }))
  }
  return least <= limit ? least : undefined
}

/** Returns the maximum difference between spellings of a name with this many consonants. */
function limitOf(strength: number): number {
  return [5, 20, 60, 80, 100, 120][Math.min(strength, 5)] ?? 0
}

/**
 * Returns the sounds of a folded word in the Arabic script. Short vowels are not written, so the sounds have none. The article of a name
 * (عبدالرحمن, الزرقاوی) has separate sounds, because Latin script writes it in many ways or not at all.
 */
function soundsOfArabic(word: string): string {
  const marked = word
    .replace(/^ال(?=...)/u, '@ł')
    .replace(/(?<=^عبد)ال(?=..)/u, '@ł')
    .replace(/ال(?=له$|دین$)/u, '@ł')
    .replace(/(?<=..)ه$/u, 'E')
    // Latin script writes -ah for this and for a long vowel at the end.
    .replace(/(?<=ا)[Eح]$/u, 'H')
  let read = ''
  let last = ''
  for (const letter of marked) {
    if (letter !== last) read += 'EH@ł'.includes(letter) ? letter : (sounds[letter] ?? '')
    last = letter
  }
  return read.replace(/^A/u, 'I').replace(/^h/u, 'ĥ').replace(/^ʿ/u, 'ʔ').replace(/Y$/u, 'L')
}
