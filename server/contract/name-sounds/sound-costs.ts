import { sounds } from './sound.ts'

/** The script of the word that a sound is compared with: Arabic script leaves out short vowels, Latin script does not. */
export type ScriptPair = 'latin' | 'arabic' | 'both'

/** The cost of replacing one sound by another, in hundredths of a consonant; 100 if not listed. */
const replacements = {
  // Consonants that languages of the region, or writers of Latin script, use interchangeably.
  consonants: `bp 20, pf 40, bf 80, wf 45, wb 80, td 60, tþ 15, sþ 10, dð 10, zð 0, dþ 60, dz 40, sz 60, zþ 60, sð 70, jg 35, jž 20,
    jč 50, jz 50, jẑ 15, jç 50, zž 35, zẑ 5, dẑ 40, žg 50, žĝ 5, gĝ 5, zĝ 40, jĝ 20, šĝ 40, čš 45, čç 0, šç 15, xç 30,
    kç 40, sĉ 20, čĉ 20, tĉ 40, çĉ 20, sš 70, šŝ 0, xŝ 0, sŝ 50, kŝ 50, hŝ 60, çŝ 10, qk 10, qg 25, qġ 10, kg 60, kġ 25,
    gġ 10, xk 45, xq 60, xh 25, xġ 60, kč 80, ck 5, cq 10, cs 20, cj 40, cč 10, cç 10, cg 60, cš 60, rṛ 0, dṛ 40, lł 0,
    mn 70, hH 0, hĥ 0, xĥ 25, ŝĥ 60, ʿʔ 0, wW 0, yY 0, yL 0, wy 80, rł 10, nł 30, dł 10, sł 30`,
  // Vowels of Latin script.
  latinVowels: `aā 5, ae 10, ao 30, au 35, ai 90, ei 10, eo 45, eu 40, eī 40, iī 5, io 60, iu 45, ou 10, oū 10, uū 5, aī 90, aū 50,
    āe 30, āo 30, āi 85, āu 60, āī 90, āū 60, eū 60, iū 70, oī 70, uī 70, īū 80, wu 15, wo 20, wū 10, yi 10, ye 20, yī 10,
    ya 60, wa 60`,
  // Vowels of Latin script compared with those of Arabic script.
  bothVowels: `Aa 0, Aā 0, Ae 15, Ao 25, Au 60, Ai 60, Aī 90, Aū 85, Wu 0, Wo 0, Wū 0, Wa 85, We 70, Wi 70, Wā 70, Wī 90, Wy 90, Yi 0,
    Ye 15, Yī 0, Ya 90, Yo 80, Yu 80, Yā 90, Yū 90, Yw 90, Li 0, Le 20, Lī 0, La 10, Lā 15, Lo 80, Lu 80, Ea 0, Ee 0, Eā 5,
    Ei 30, EH 0, Eh 10, Eo 60, Ia 0, Ie 0, Ii 0, Io 0, Iu 0, Iā 0, Iī 5, Iū 5, IA 0, ^I 0, ^ʔ 0, ^@ 0, ^ʿ 10, Iʔ 25, @ʔ 30,
    ʿa 5, ʿe 5, ʿi 5, ʿo 5, ʿu 5, ʿā 5, ʿA 15, ʿI 25, ʿY 60, ʿE 30, @a 0, @e 0, @u 0, @o 0, @i 10, @I 0, @A 0, @W 20`,
  // Vowels of Arabic script.
  arabicVowels: `AE 10, AL 20, YL 0, YE 50, WY 90, AW 85, AY 90, LE 30, IY 60, hE 20`,
}

/** The cost of a sound that only one of the words has. */
const omissions: Record<ScriptPair, string> = {
  latin: `a 35, e 35, i 35, o 40, u 40, ā 60, ī 60, ū 60, w 50, y 35, h 35, ĥ 70, H 0, ʿ 0, ^ 10, @ 10, ł 10`,
  arabic: `A 50, W 85, Y 85, L 60, E 45, I 40, h 50, ĥ 70, H 20, ʿ 30, ʔ 40, @ 10, ł 10`,
  both: `a 0, e 0, i 10, o 10, u 10, ā 45, ī 60, ū 45, w 50, y 50, h 35, ĥ 70, H 0, A 75, W 85, Y 85, L 60, E 40, I 75, ʿ 5,
    ʔ 50, ^ 50, @ 5, ł 10`,
}

const size = sounds.length
const indexOfSound = new Map(sounds.map((sound, index) => [sound, index]))
const replacementTable = new Uint8Array(size * size).fill(100)
for (const index of sounds.keys()) replacementTable[index * size + index] = 0
for (const [pair, cost] of Object.values(replacements).flatMap(readCosts)) {
  const [a, b] = [...pair].map((sound) => indexOfSound.get(sound))
  if (a === undefined || b === undefined) throw new Error(`No such sounds: ${pair}`)
  replacementTable[a * size + b] = cost
  replacementTable[b * size + a] = cost
}
const omissionTables = Object.fromEntries(
  Object.entries(omissions).map(([pair, costs]) => {
    const known = new Map(readCosts(costs))
    return [pair, Uint8Array.from(sounds, (sound) => known.get(sound) ?? 100)]
  }),
)

/** Reads `ab 20, c 30`. */
function readCosts(text: string): [sounds: string, cost: number][] {
  return text.split(',').map((entry) => {
    const [sounds = '', cost] = entry.trim().split(' ')
    return [sounds, Number(cost)]
  })
}

/** Two reused rows of a distance matrix: a search compares thousands of names, and allocating rows takes longer than a comparison. */
let rows: [Uint16Array, Uint16Array] = [new Uint16Array(64), new Uint16Array(64)]

/** Encodes sounds for soundDistance as characters whose codes are indexes in the cost tables: a string takes less memory than numbers. */
export function encodeSounds(text: string): string {
  return String.fromCharCode(...[...text].flatMap((sound) => indexOfSound.get(sound) ?? []))
}

/**
 * Returns the difference between two sequences of sounds, in hundredths of a consonant: the cost of the cheapest way to turn one into the
 * other. Returns a number above `limit` as soon as `limit` is certain to be exceeded.
 */
export function soundDistance(
  a: string,
  b: string,
  { scripts, limit }: { scripts: ScriptPair; limit: number },
): number {
  const omission = omissionTables[scripts] ?? new Uint8Array()
  if (b.length >= rows[0].length) rows = [new Uint16Array(2 * b.length), new Uint16Array(2 * b.length)]
  let [previous, current] = rows
  previous[0] = 0
  for (let j = 1; j <= b.length; j++) previous[j] = (previous[j - 1] ?? 0) + (omission[b.charCodeAt(j - 1)] ?? 0)
  for (let i = 1; i <= a.length; i++) {
    const sound = a.charCodeAt(i - 1)
    const omitted = omission[sound] ?? 0
    let least = (current[0] = (previous[0] ?? 0) + omitted)
    for (let j = 1; j <= b.length; j++) {
      const other = b.charCodeAt(j - 1)
      const cost = Math.min(
        (previous[j - 1] ?? 0) + (replacementTable[sound * size + other] ?? 0),
        (previous[j] ?? 0) + omitted,
        (current[j - 1] ?? 0) + (omission[other] ?? 0),
      )
      current[j] = cost
      if (cost < least) least = cost
    }
    if (least > limit) return least
    ;[previous, current] = [current, previous]
  }
  return previous[b.length] ?? 0
}
