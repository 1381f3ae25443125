import type { LanguagePair } from '../prompt.ts'
import { countFrequent, hasList, isFrequent, listedLanguages } from './frequent-words.ts'
import { shareScript } from './scripts.ts'
import { fold, withoutAddresses, wordsOf } from './words.ts'

/** Letters that a language does not use although they belong to its script. */
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

/** The Arabic article and letters that only Arabic uses, except in words that other languages share. */
const arabicWord = /^(?!ال(?:ان|بته|له|لہ|سلام|حمد|یاس))(?:و|ب|ف|ك|ل)?ال\p{L}{3,}$|[ةى]$|^[أإ]/u
const kana = /[\p{Script=Hiragana}\p{Script=Katakana}]/u

/** Words that most longer lines of a language contain. */
const ownMarkers: Record<string, (word: string) => boolean> = {
  ps: (word) => /[ټډړږښڼځڅۍېګ]/u.test(word) || isFrequent(word, 'ps'),
  ur: (word) => /[ٹڈڑںےہھ]/u.test(word),
  fa: (word) => /^(?:ن?می|خواه|شد|کرد|دار|یا$|نیز$|هر$)|(?:ی|ها|ند)$/u.test(word) || isFrequent(word, 'fa'),
  ar: (word) => arabicWord.test(word) || isFrequent(word, 'ar'),
}
const minOwnShare = 0.12
const longLine = 5

const maxForeignShare = 0.25
const someForeignShare = 0.08
const shortWords = 3
const minSignificantWords = 2

/**
 * Whether a completion in the right script is in another language with that script, judged by letters that the language does not use and
 * by frequent words. At most two words of the text may be names. Short lines without such markers pass: names and greetings are the same.
 */
export function isWrongLanguage(completion: string, text: string, pair: LanguagePair): boolean {
  const rest = withoutAddresses(completion)
  const said = new Set(splitWords(text).map((word) => word.toLowerCase()))
  const words = splitWords(rest)
  const names = new Set(words.filter((word) => said.has(word.toLowerCase())))
  const counted = names.size <= 2 ? words.filter((word) => !names.has(word)) : words
  if (hasForeignLetters(counted, words.length, pair.target)) return true
  if (hasNoMarkers(rest, pair.target)) return true
  if (pair.target === 'ja') return words.join('').length >= 6 && /\p{Script=Han}/u.test(rest) && !kana.test(rest)
  return hasForeignWords(counted, rest, pair.target)
}

function hasForeignLetters(words: string[], total: number, target: string): boolean {
  const pattern = foreignLetters[target]
  if (!pattern) return false
  const isProper = (word: string, index: number) => index > 0 && /^\p{Lu}/u.test(word)
  const foreign = words.filter((word, index) => pattern.test(word) && !isProper(word, index)).length
  if (target === 'en' || target === 'de') return foreign >= minSignificantWords && foreign > 0.15 * total
  if (foreign === 0) return false
  if (total <= shortWords || foreign > maxForeignShare * total) return true
  return foreign >= minSignificantWords && foreign > someForeignShare * total
}

/** Whether a longer line has none of the words or letters typical of its language. */
function hasNoMarkers(text: string, target: string): boolean {
  const isOwn = ownMarkers[target]
  const words = splitWords(text)
  if (!isOwn || words.length < longLine) return false
  return words.filter((word) => isOwn(word) || isOwn(fold(word))).length < minOwnShare * words.length
}

function hasForeignWords(counted: string[], rest: string, target: string): boolean {
  const words = counted.flatMap((word) => wordsOf(word))
  return listedLanguages.some((language) => {
    if (language === target || !shareScript(language, target)) return false
    // Without a list of the target's own words, only English is detected: few languages share its words.
    if (!hasList(target) && language !== 'en') return false
    const letters = language === 'ar' ? splitWords(rest).filter((word) => arabicWord.test(word)).length : 0
    const other = countFrequent(words, language, target) + letters
    const own = hasList(target) ? countFrequent(words, target, language) : 0
    return other >= minSignificantWords && other > own * 1.5 && other >= 0.25 * words.length
  })
}

function splitWords(text: string): string[] {
  return text.match(/\p{L}[\p{L}\p{M}\u200C'’]*/gu) ?? []
}
