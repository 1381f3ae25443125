import type { LineWord } from '../transcript-line.ts'
import { readWords, replaceWords, type WordReplacement, type WordSpan } from './line-words.ts'
import { lettersOf, type SpellingIndex } from './listed-spellings.ts'
import { maxPromptedConfidence, maxPromptedShare, soundShare, type PromptedWord } from './prompted-words.ts'

/** Words are not replaced by similar-sounding ones if the model is more certain of them than this. */
const maxNearConfidence = 0.9

/**
 * Writes words as they are listed, in this order: listed words stay, or get the listed blanks and keyboard letters, and the listed accents
 * if the model was uncertain; listed alternative spellings are replaced; words of which the model was uncertain are replaced by what it
 * heard there when prompted with the listed words, or else by the one listed word that sounds nearest, if one is near. Nothing is replaced
 * twice or across punctuation. A replacement keeps the time, the lowest confidence and the surrounding punctuation, and records what was
 * heard. Returns the same array if nothing is replaced.
 */
export function correctWords(
  words: LineWord[],
  spellings: SpellingIndex,
  prompted: readonly PromptedWord[] = [],
): LineWord[] {
  const text = readWords(words)
  const replacements: WordReplacement[] = []
  const replace = (span: WordSpan, written: string) => {
    text.take(span)
    replacements.push({ ...span, written })
  }
  for (const span of text.freeSpans()) {
    const heard = text.heardAt(span)
    const listed = spellings.findSame(heard)
    if (listed === undefined || text.isTaken(span)) continue
    const change = changeTo(listed, text.textAt(span))
    const isChanged = change === 'typing' || (change === 'letters' && (heard.confidence ?? 0) < maxNearConfidence)
    if (isChanged) replace(span, listed)
    else text.take(span)
  }
  for (const span of text.freeSpans()) {
    const listed = spellings.findHeardAs(text.heardAt(span))
    if (listed !== undefined && !text.isTaken(span)) replace(span, listed)
  }
  for (const word of prompted) {
    const span = text.spanAt(word)
    if (!span || text.isTaken(span)) continue
    const heard = text.heardAt(span)
    const isUnsure = (heard.confidence ?? 0) < maxPromptedConfidence
    if (isUnsure && soundShare(heard.letters, lettersOf(word.written)) <= maxPromptedShare) replace(span, word.written)
  }
  const near = text.freeSpans().flatMap((span) => {
    const heard = text.heardAt(span)
    const found = (heard.confidence ?? 0) < maxNearConfidence ? spellings.findNear(heard) : undefined
    if (!found) return []
    const letters = heard.letters.length
    return [{ word: found.word, span, letters, share: found.distance / letters }]
  })
  for (const { span, word } of near.toSorted((a, b) => a.share - b.share || b.letters - a.letters)) {
    if (!text.isTaken(span)) replace(span, word)
  }
  return replacements.length === 0 ? words : replaceWords(words, text.parts, replacements)
}

/** Letters that look the same in a word and differ only by keyboard. */
const keyboardLetters: Record<string, string> = { ي: 'ی', ك: 'ک', ہ: 'ه' }

/**
 * Returns how a text differs from the listed word with the same folded form: only by case, by blanks or the keyboard used, or by letters,
 * such as accents or the end of a different word (على and علي).
 */
function changeTo(listed: string, text: string): 'case' | 'typing' | 'letters' {
  const [one = '', other = ''] = [listed, text].map((each) => each.normalize().toLowerCase())
  if (one === other) return 'case'
  return typed(one) === typed(other) ? 'typing' : 'letters'
}

function typed(text: string): string {
  return text.replaceAll(/\s/g, '').replaceAll(/[يكہ]/g, (letter) => keyboardLetters[letter] ?? letter)
}
