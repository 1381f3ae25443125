/** Some of the most frequent words of each language, most frequent first. */
const frequentWords = {
  ps: 'د په چې او ته يې کې دا نه له هم خو يو دی ده سره به زه ته موږ هغه څه ما وو کړي پر شي لپاره شو کوي تر بيا اوس ښه هو مې وايي چا خلک کار کور سبا نن پلار ورور زوی پيسې موټر لار وخت ورځ شپه ښار بازار',
  en: 'the to and you i a of that it in is we he for on was do have not this with they be but so what at are there go will know then one can about up all my said out if me just like time from come when now how good right see brother money car road night day tomorrow market house home work friend father son',
} as const

const syllables = {
  ps: 'با تو خي ړا شن ګل مې زړ کا لو نا ړي چا ښک ور سپ غو ته دل مر پو هي جا رن وا ډب کړ ميا خا لي',
  en: 'ba ren to mis ing con tra ble per ac tion ly der gra fe mo nul ta shi po ker sel ven dor ima lu cas ter ni ho',
} as const

export type TalkLanguage = keyof typeof frequentWords

/** Number of distinct words in an hour-long call. */
const vocabularySize = 2_000

export interface Talk {
  /** Returns the next number, from 0 to 1, of a fixed sequence. */
  random(): number
  /** Returns a sentence of three to eleven words. */
  sentence(language: TalkLanguage): string[]
  /** Returns a confidence in hundredths, mostly high. */
  confidence(): number
}

/** Returns a source of sentences; equal seeds give equal sentences. */
export function createTalk(seed: number): Talk {
  const random = createRandom(seed)
  const vocabularies = { ps: makeVocabulary('ps', random), en: makeVocabulary('en', random) }
  return {
    random,
    sentence(language) {
      const count = 3 + Math.floor(random() * 9)
      return Array.from({ length: count }, () => drawByZipf(vocabularies[language], random))
    },
    confidence: () => Math.round((1 - random() ** 4) * 100) / 100,
  }
}

function makeVocabulary(language: TalkLanguage, random: () => number): string[] {
  const words = new Set(frequentWords[language].split(' '))
  const parts = syllables[language].split(' ')
  while (words.size < vocabularySize) {
    const length = 2 + Math.floor(random() * 2)
    words.add(Array.from({ length }, () => parts[Math.floor(random() * parts.length)]).join(''))
  }
  return [...words]
}

/** The word at rank r is drawn with a probability of about 1/r. */
function drawByZipf(words: string[], random: () => number): string {
  return words[Math.floor(words.length ** random()) - 1] ?? ''
}

/** Mulberry32: small, fast and good enough for texts. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
