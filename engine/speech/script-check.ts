import { describeLanguage } from '#contract/languages.ts'
import type { TranscriptionWarning } from '#contract/transcription.ts'

interface Script {
  name: string
  letters: RegExp
  /** Letters that a longer text of this language cannot do without. */
  own?: RegExp
}

const arabic = { name: 'Arabic script', letters: /\p{Script=Arabic}/u }

const scripts: Record<string, Script> = {
  ps: { ...arabic, own: /[ټځڅډړږښګڼېۍ]/u },
  ur: { ...arabic, own: /[ٹڈڑںےہھ]/u },
  fa: arabic,
  ar: arabic,
  en: { name: 'Latin script', letters: /\p{Script=Latin}/u },
}

/** Below this many letters a text says too little about its script, or about letters of its own. */
const fewestLetters = 8
const fewestForOwnLetters = 200
const leastShareInScript = 0.7
/** Pashto and Urdu have more than 5% of such letters; their neighbours' texts have hardly any. */
const leastShareOfOwn = 0.005

/**
 * Warns when a transcript is not written in its language's letters: another script, or, in a longer text of Pashto or Urdu, none of
 * the letters only that language has. That is what a model does that was never taught the language (stock Whisper writes Pashto in
 * its own script in less than 1% of cases), and nobody who cannot read it would notice.
 */
export function checkScript(text: string, language: string, speaker?: string): TranscriptionWarning | undefined {
  const script = scripts[language]
  const letters = text.match(/\p{L}/gu) ?? []
  if (!script || letters.length < fewestLetters) return undefined
  const { name } = describeLanguage(language)
  const whose = speaker ? `The transcript of ${speaker}` : 'The transcript'
  const advice = `The speech model may not know ${name}: do not rely on this text.`
  if (share(letters, script.letters) < leastShareInScript) {
    return { code: 'script_mismatch', message: `${whose} should be ${name} but is not in ${script.name}. ${advice}` }
  }
  if (script.own && letters.length >= fewestForOwnLetters && share(letters, script.own) < leastShareOfOwn) {
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
