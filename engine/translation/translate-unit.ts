import { AppError } from '#contract/app-error.ts'
import { cleanOutput } from './clean-output.ts'
import { hasLetters } from './detect-language.ts'
import { needsNoTranslation } from './language-pair.ts'
import type { Answer } from './llama-child.ts'
import type { Translator } from './llama.ts'
import type { LanguagePair } from './prompt.ts'
import { splitInTwo } from './split-text.ts'

/** A text of more characters is cut within a sentence too when the model fails on it. */
const longestOfOnePiece = 200

/**
 * The translation of one text: a segment, a line. What is too long for one call, or got an answer that is no translation, goes
 * in two parts, down to a sentence or the characters of one. A text without letters, or already in the target language, stays as it is.
 * @throws AppError `internal` when the model's answer is no translation, and whatever the translator rejects with
 */
export async function translateUnit(
  translator: Pick<Translator, 'ask'>,
  text: string,
  pair: LanguagePair,
  signal?: AbortSignal,
): Promise<string> {
  if (!hasLetters(text) || needsNoTranslation(pair)) return text
  const answer = await translator.ask(text.trim(), pair, { signal })
  try {
    return readAnswer(answer, text, pair)
  } catch (error) {
    const isWorthSplitting = answer.kind === 'too_long' || text.length > longestOfOnePiece
    const parts = splitInTwo(text, isWorthSplitting ? 'anywhere' : 'sentence')
    if (!parts) throw error
    const translated: string[] = []
    for (const part of parts) translated.push(await translateUnit(translator, part, pair, signal))
    return translated.join(' ')
  }
}

function readAnswer(answer: Answer, text: string, pair: LanguagePair): string {
  if (answer.kind === 'too_long') throw new AppError('internal', 'The text is too long for the translation model.')
  if (!answer.isComplete) throw new AppError('internal', 'The translation model did not come to an end with this text.')
  return cleanOutput(answer.text, text, pair)
}
