import type { LineWord } from '../transcript-line.ts'
import { readWords, replaceWords, type Replacement, type Span } from './line-words.ts'
import type { ListedSpellings } from './listed-spellings.ts'
import { maxPromptedConfidence, maxPromptedShare, soundShare, type PromptedWord } from './prompted-words.ts'

/** What the model is surer of than this is not replaced by what sounds near. */
const maxNearConfidence = 0.9

/**
 * Writes words as they are listed, in this order: what is listed already stays, or gets the listed accents and blanks; what was listed as
 * another spelling is replaced; what the model was not sure of is replaced by what it heard there with the listed words as prompt, or else
 * by the one listed word that sounds nearest, where one is near. Nothing is replaced twice or across punctuation. What is replaced keeps its time, its lowest confidence and the punctuation around it,
 * and says what was heard. Returns the same array where nothing is replaced.
 */
export function correctWords(
  words: LineWord[],
  spellings: ListedSpellings,
  prompted: readonly PromptedWord[] = [],
): LineWord[] {
  const text = readWords(words)
  const replacements: Replacement[] = []
  const replace = (span: Span, written: string) => {
    text.take(span)
    replacements.push({ ...span, written })
  }
  for (const span of text.freeSpans()) {
    const listed = spellings.findSame(text.heardAt(span))
    if (listed === undefined || text.isTaken(span)) continue
    if (isSameButCase(listed, text.textAt(span))) text.take(span)
    else replace(span, listed)
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
    if (isUnsure && soundShare(heard.letters, word.written) <= maxPromptedShare) replace(span, word.written)
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

function isSameButCase(one: string, other: string): boolean {
  return one.normalize().toLowerCase() === other.normalize().toLowerCase()
}
