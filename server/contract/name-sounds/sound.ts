/**
 * The sounds that names are compared in: one character each. Letters that one script writes in one way and the other in several are
 * separate sounds, because what they may stand for differs; sound-costs.ts says how much two of them differ.
 */

/** Vowels as Latin script writes them; long ones are those written with two letters. */
const latinVowels = 'aeiouāīū'
/** Vowels as Arabic script writes them: alif, waw, yeh, final heh, alif that begins a word and so carries any vowel, final yeh. */
const arabicVowels = 'AWYEIL'
/**
 * Consonants that are written in some spellings of a name and not in others: they take no part in keys. ĥ and ʔ are h and ain at the
 * beginning, where they are rarely left out; ^ is the beginning of a Latin word with a vowel, @ł the article.
 */
const weakConsonants = 'hĥHʿʔ^wy@ł'

/**
 * By sound: its class in keys. Classes are wide, because a key only has to find what is compared then: p is written b or f, d as z
 * (from ذ ض ظ), j as g, gh as q or k.
 */
const keyClasses: Record<string, string> = Object.fromEntries(
  Object.entries({ B: 'bpf', S: 'tdsþðzjčšžẑĉçŝ', K: 'xġqkgĝc', R: 'rṛ', L: 'l', M: 'm', N: 'n' }).flatMap(
    ([name, sounds]) => [...sounds].map((sound) => [sound, name]),
  ),
)

/** Returns the class of a sound in keys; empty for vowels and weak consonants. */
export function keyClassOf(sound: string): string {
  return keyClasses[sound] ?? ''
}

/** All sounds, in the order of the tables of costs. */
export const sounds = [...latinVowels, ...arabicVowels, ...weakConsonants, ...Object.keys(keyClasses)]
