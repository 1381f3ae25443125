/**
 * The sounds by which names are compared, one character each. Letters that one script writes in one way and the other in several are
 * separate sounds, because they may stand for different things; sound-costs.ts defines how much two sounds differ.
 */

/** Vowels as written in Latin script; long vowels are those written with two letters. */
const latinVowels = 'aeiouāīū'
/** Vowels as written in Arabic script: alif, waw, yeh, final heh, initial alif, which carries any vowel, and final yeh. */
const arabicVowels = 'AWYEIL'
/**
 * Consonants that are written in some spellings of a name but not in others, and are therefore not part of keys. ĥ and ʔ are h and ain at
 * the beginning, where they are rarely omitted; ^ is the beginning of a Latin word with a vowel, @ł is the article.
 */
const weakConsonants = 'hĥHʿʔ^wy@ł'

/**
 * The class of each sound in keys. Classes are broad, because a key only has to find candidates for comparison: p is written as b or f,
 * d as z (from ذ ض ظ), j as g, gh as q or k.
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

/** All sounds, in the order of the cost tables. */
export const sounds = [...latinVowels, ...arabicVowels, ...weakConsonants, ...Object.keys(keyClasses)]
