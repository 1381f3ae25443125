import { describeLanguage } from '#contract/languages.ts'
import type { TranscriptionWarning } from '#contract/transcription.ts'

interface Script {
  name: string
  letters: RegExp
  /** Letters specific to the language, which occur in every longer text. */
  specificLetters?: RegExp
}

const arabic = { name: 'Arabic script', letters: /\p{Script=Arabic}/u }

const scripts: Record<string, Script> = {
  ps: { ...arabic, specificLetters: /[ټځڅډړږښګڼېۍ]/u },
  ur: { ...arabic, specificLetters: /[ٹڈڑںےہھ]/u },
  fa: arabic,
  ar: arabic,
  en: { name: 'Latin script', letters: /\p{Script=Latin}/u },
}

/** Shorter texts are not checked for their script, or for specific letters. */
const minLetters = 8
const minLettersForSpecific = 200
const minScriptShare = 0.7
/** Texts in Pashto and Urdu have more than 5% of their specific letters; texts in related languages have hardly any. */
const minSpecificShare = 0.005

/**
 * Returns a warning if a transcript is not in the letters of its language: another script, or a longer text in Pashto or Urdu without the
 * letters specific to that language. Models that were not trained for the language write such text (stock Whisper uses the Pashto script
 * for Pashto in less than 1% of cases), and a user who cannot read it would not notice.
 */
export function checkScript(text: string, language: string, speaker?: string): TranscriptionWarning | undefined {
  const script = scripts[language]
  const letters = text.match(/\p{L}/gu) ?? []
  if (!script || letters.length < minLetters) return undefined
  const { name } = describeLanguage(language)
  const whose = speaker ? `The transcript of ${speaker}` : 'The transcript'
  const advice = `The speech model may not know ${name}: do not rely on this text.`
  if (share(letters, script.letters) < minScriptShare) {
    return { code: 'script_mismatch', message: `${whose} should be ${name} but is not in ${script.name}. ${advice}` }
  }
  const { specificLetters } = script
  if (
    specificLetters &&
    letters.length >= minLettersForSpecific &&
    share(letters, specificLetters) < minSpecificShare
  ) {
    return {
      code: 'script_mismatch',
      message: `${whose} should be ${name} but has none of the letters of ${name}. ${advice}`,
    }
  }
  return undefined
}

function share(letters: string[], pattern: RegExp): number {
  return letters.filter((letter) => pattern.test(letter)).length / letters.length
}
