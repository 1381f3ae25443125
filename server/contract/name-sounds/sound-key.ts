import type { NameSound } from './name-sound.ts'
import { keyClassOf } from './sound.ts'

const maxKeys = 6
/** Keys with this many classes or fewer are shared by thousands of words, so the edges of the words must also agree. */
const shortKey = 2

/**
 * Sounds that may be in another class in another spelling, with those classes: h and kh, v and f, g and j. The name searched for gets a key
 * for each.
 */
const otherClasses: Record<string, string[]> = { x: [''], h: ['K'], ĥ: ['K'], w: ['B'], g: ['S'], j: ['K'], ž: ['K'] }

/** Sounds that may be in either class, and are searched for in both. */
const eitherClass: Record<string, string[]> = {
  ł: ['', 'L'],
  ç: ['S', 'K'],
  c: ['K', 'S'],
  ĝ: ['K', 'S'],
  ŝ: ['S', 'K'],
}

/** Returns the keys under which a name is stored. If two names sound alike, a stored key of one is among the searchKeys of the other. */
export function storedKeys(name: NameSound): string[] {
  return keysOf(name, (sound) => eitherClass[sound] ?? [keyClassOf(sound)])
}

/** Returns the keys under which other spellings of a name may be stored. */
export function searchKeys(name: NameSound): string[] {
  return keysOf(name, (sound) => eitherClass[sound] ?? [keyClassOf(sound), ...(otherClasses[sound] ?? [])])
}

function keysOf({ readings, script }: NameSound, classesOf: (sound: string) => string[]): string[] {
  const keys = new Set<string>()
  for (const reading of readings.flatMap(articleApart)) {
    let all = ['']
    for (const sound of nasalsJoined(reading)) {
      // Arabic script distinguishes heh and kh.
      const classes = script === 'arabic' && 'hĥ'.includes(sound) ? [''] : classesOf(sound)
      const longer = all.flatMap((start) => classes.map((name) => (start.endsWith(name) ? start : start + name)))
      all = longer.length > maxKeys ? longer.slice(0, maxKeys) : longer
    }
    for (const key of all) keys.add(key.length > shortKey ? key : `${edgesOf(reading)}${key}`)
  }
  return [...keys]
}

/** Reads a word that begins like an article both with its l, as in Elias, and without it. */
function articleApart(reading: string): string[] {
  return reading.startsWith('@ł') ? [`^l${reading.slice(2)}`, reading.slice(2)] : [reading]
}

/** Returns whether the word begins and whether it ends with a vowel or a possible vowel. */
function edgesOf(reading: string): string {
  const first = /^[\^I@ʔAaeiouāīū]/u.test(reading) ? 'v' : 'c'
  const last = keyClassOf(reading.at(-1) ?? '') === '' ? 'v' : 'c'
  return first + last
}

/** Before b and p, n is spoken and often written as m. */
function nasalsJoined(reading: string): string {
  return reading.replace(/m(?=[bp])/gu, 'n')
}
