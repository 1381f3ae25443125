import type { LanguagePair } from '../prompt.ts'
import { countFrequent, hasList, isFrequent, listedLanguages } from './frequent-words.ts'
import { shareScript } from './scripts.ts'
import { fold, withoutAddresses, wordsOf } from './words.ts'

/** Letters that a language never writes, though others of its script do. */
const foreignLetters: Record<string, RegExp> = {
  ps: /[ٹڈڑںہھۓۂ]/u,
  ur: /[ټډړږښڼځڅۍېګ]/u,
  fa: /[ټډړږښڼځڅۍېګٹڈڑںےہھۓۂ]/u,
  ar: /[پچژگکیټډړږښڼځڅۍېګٹڈڑںےہھۓۂ]/u,
  en: /[äöüßáàâéèêëíìîóòôúùûñçãõğışłżźćńåøæœœčšžěřůőűăâîșțđ]/iu,
  de: /[áàâèêëíìîóòôúùûñçãõğışłżźćńåøæœčšžěřůőűășțđ]/iu,
  ru: /[іїєґўјљњћђџқңғүұһөәҳ]/iu,
  uk: /[ыэъёўјљњћђџқңғүұһөәҳ]/iu,
  bg: /[ыэёіїєґўјљњћђџқңғүұһөә]/iu,
}

/** Arabic's article and the letters that only Arabic writes; the exceptions stand in other languages too. */
const arabicWord = /^(?!ال(?:ان|بته|له|لہ|سلام|حمد|یاس))(?:و|ب|ف|ك|ل)?ال\p{L}{3,}$|[ةى]$|^[أإ]/u
const kana = /[\p{Script=Hiragana}\p{Script=Katakana}]/u

/** What most longer lines of a language hold; `words` are folded. */
const ownSigns: Record<string, (word: string) => boolean> = {
  ps: (word) => /[ټډړږښڼځڅۍېګ]/u.test(word) || isFrequent(word, 'ps'),
  ur: (word) => /[ٹڈڑںےہھ]/u.test(word),
  fa: (word) => /^(?:ن?می|خواه|شد|کرد|دار|یا$|نیز$|هر$)|(?:ی|ها|ند)$/u.test(word) || isFrequent(word, 'fa'),
  ar: (word) => arabicWord.test(word) || isFrequent(word, 'ar'),
}
const leastOwnShare = 0.12
const longLine = 5

const mostForeignShare = 0.25
const someForeignShare = 0.08
const shortWords = 3
const fewestTelling = 2

/**
 * Whether an answer in the right script is in another language that shares it: told by letters that the language never writes, and by
 * frequent words. Words of the text may be names, two at most. Short lines without such signs pass: names and greetings are alike.
 */
export function isWrongLanguage(answer: string, text: string, pair: LanguagePair): boolean {
  const rest = withoutAddresses(answer)
  const said = new Set(splitWords(text).map((word) => word.toLowerCase()))
  const words = splitWords(rest)
  const names = new Set(words.filter((word) => said.has(word.toLowerCase())))
  const counted = names.size <= 2 ? words.filter((word) => !names.has(word)) : words
  if (hasForeignLetters(counted, words.length, pair.target)) return true
  if (hasNoSigns(rest, pair.target)) return true
  if (pair.target === 'ja') return words.join('').length >= 6 && /\p{Script=Han}/u.test(rest) && !kana.test(rest)
  return hasForeignWords(counted, rest, pair.target)
}

function hasForeignLetters(words: string[], total: number, target: string): boolean {
  const pattern = foreignLetters[target]
  if (!pattern) return false
  const isProper = (word: string, index: number) => index > 0 && /^\p{Lu}/u.test(word)
  const foreign = words.filter((word, index) => pattern.test(word) && !isProper(word, index)).length
  if (target === 'en' || target === 'de') return foreign >= fewestTelling && foreign > 0.15 * total
  if (foreign === 0) return false
  if (total <= shortWords || foreign > mostForeignShare * total) return true
  return foreign >= fewestTelling && foreign > someForeignShare * total
}

/** Whether a longer line holds nothing that lines of its language hold. */
function hasNoSigns(text: string, target: string): boolean {
  const isOwn = ownSigns[target]
  const words = splitWords(text)
  if (!isOwn || words.length < longLine) return false
  return words.filter((word) => isOwn(word) || isOwn(fold(word))).length < leastOwnShare * words.length
}

function hasForeignWords(counted: string[], rest: string, target: string): boolean {
  const words = counted.flatMap((word) => wordsOf(word))
  return listedLanguages.some((language) => {
    if (language === target || !shareScript(language, target)) return false
    // Without a list of the target's own words only English is told: its words are few languages' words.
    if (!hasList(target) && language !== 'en') return false
    const letters = language === 'ar' ? splitWords(rest).filter((word) => arabicWord.test(word)).length : 0
    const other = countFrequent(words, language, target) + letters
    const own = hasList(target) ? countFrequent(words, target, language) : 0
    return other >= fewestTelling && other > own * 1.5 && other >= 0.25 * words.length
  })
}

function splitWords(text: string): string[] {
  return text.match(/\p{L}[\p{L}\p{M}\u200C'’]*/gu) ?? []
}
