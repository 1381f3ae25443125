import { transcriptionLanguages } from '#contract/languages.ts'

type ArabicScriptLanguage = 'ps' | 'ur' | 'fa' | 'ar'

interface LanguageMarkers {
  /** Letters that the other three languages do not use. */
  own: RegExp
  /** Frequent short words. */
  words: Set<string>
  /** Letters used in this language and in some of the others. */
  shared: RegExp
}

const markers: Record<ArabicScriptLanguage, LanguageMarkers> = {
  ps: {
    own: /[ټډړږښڼځڅېۍګۀ]/u,
    words: words('دی ده دي په ته چې زه یم او سره پر دا نه به هم مې یې زما نن سبا شو مه'),
    shared: /[پچژی]/gu,
  },
  ur: {
    own: /[ٹڈڑںےہھۓۂۃ]/u,
    words: words('ہے ہیں میں کی کا کے کو سے اور پر یہ وہ نہیں ہم آج کل خوش مت'),
    shared: /[پچژکگی]/gu,
  },
  fa: {
    own: /‌(?:ها|های|ام|ای|اند)(?!\p{L})/u,
    words: words(
      'است را این که از به در من ما هستم می نمی با برای آن شما خواهیم امروز فردا امشب کن تو او نه ده چه ولی چرا کجاست',
    ),
    shared: /[پچژکگی]/gu,
  },
  ar: {
    own: /[ةىأإ]|(?<!\p{L})(?:و|ب|ل|ف|ك)?ال\p{L}{3}/u,
    words: words('في من على إلى أنا هذا هذه لا ما يا أين هو هي مع عن كان قد غدا شكرا'),
    shared: /[كيؤئة]/gu,
  },
}

const ownLetterWeight = 3
const wordWeight = 2
const sharedLetterWeight = 0.25

/** Scripts that only one of the product's languages uses. Latin stands for English, because letters by themselves reveal no more. */
const languageOfScript: [RegExp, string][] = [
  [/\p{Script=Latin}/gu, 'en'],
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/gu, 'ja'],
  [/\p{Script=Han}/gu, 'zh'],
  [/\p{Script=Hangul}/gu, 'ko'],
  [/\p{Script=Hebrew}/gu, 'he'],
  [/\p{Script=Greek}/gu, 'el'],
  [/\p{Script=Thai}/gu, 'th'],
  [/\p{Script=Bengali}/gu, 'bn'],
  [/\p{Script=Gurmukhi}/gu, 'pa'],
  [/\p{Script=Gujarati}/gu, 'gu'],
  [/\p{Script=Tamil}/gu, 'ta'],
  [/\p{Script=Telugu}/gu, 'te'],
  [/\p{Script=Armenian}/gu, 'hy'],
  [/\p{Script=Georgian}/gu, 'ka'],
]
const arabicScript = /\p{Script=Arabic}/gu

/** Whether there is anything to translate: digits and punctuation are the same in every language. */
export function hasLetters(text: string): boolean {
  return /\p{L}/u.test(text)
}

/**
 * Detects the language of a text by its script and, within the Arabic script, by letters and frequent words that only Pashto, Urdu,
 * Persian or Arabic have. Returns null for a text without letters or in a script that many languages share. Very short texts may be
 * detected wrongly: سلام occurs in all four.
 */
export function detectLanguage(text: string): string | null {
  const counts = languageOfScript.map(([script, language]) => ({ language, letters: countMatches(text, script) }))
  const best = counts.reduce((most, entry) => (entry.letters > most.letters ? entry : most))
  const arabicLetters = countMatches(text, arabicScript)
  if (arabicLetters > best.letters) return detectArabicScript(text)
  const otherLetters =
    countMatches(text, /\p{L}/gu) - counts.reduce((sum, { letters }) => sum + letters, 0) - arabicLetters
  return best.letters > otherLetters ? best.language : null
}

function detectArabicScript(text: string): ArabicScriptLanguage {
  const textWords = text.match(/[\p{L}\p{M}\u200C]+/gu) ?? []
  const scores = transcriptionLanguages
    .filter((language) => language !== 'en')
    .map((language) => ({ language, score: scoreText(textWords, markers[language]) }))
  // In a tie the first wins: Pashto, the product's default.
  return scores.reduce((most, entry) => (entry.score > most.score ? entry : most)).language
}

function scoreText(textWords: string[], { own, words: frequent, shared }: LanguageMarkers): number {
  return textWords.reduce((sum, word) => {
    const ownLetters = own.test(word) ? ownLetterWeight : 0
    const frequentWord = frequent.has(word) ? wordWeight : 0
    return sum + ownLetters + frequentWord + countMatches(word, shared) * sharedLetterWeight
  }, 0)
}

function countMatches(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0
}

function words(list: string): Set<string> {
  return new Set(list.split(' '))
}
