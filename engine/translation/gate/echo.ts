import { describeLanguage } from '#contract/languages.ts'
import type { LanguagePair } from '../prompt.ts'
import { isFrequent } from './frequent-words.ts'
import { isWrittenIn, scriptsOf, shareScript } from './scripts.ts'
import { hasLetters, spokenForm, withoutAddresses, wordsOf } from './words.ts'

/** A text of the prompt with its translation: an example or a preceding line. */
export interface ShownLine {
  text: string
  translation: string
}

/** The words of our own prompts; see profiles. */
const promptWords =
  /translate the following|translate only (?:this|these)|output only the translation|answer with the .{1,20} translation|you are a professional|you translate lines|without (?:any )?additional explanation|said before, for context|keep names, numbers and addresses|terms and their translations|produce only the|from \p{L}+ to \p{L}+\. output|with the number of its line|accurately convey the meaning|参考上面的信息|参考下面的翻译|将以下文本翻译|注意只需要输出/iu

const minSignificantWords = 4
const minSameShare = 0.85

/** Whether a completion repeats the text, the instructions, or another line of the prompt. */
export function isEcho(completion: string, text: string, pair: LanguagePair, shown: ShownLine[] = []): boolean {
  if (promptWords.test(completion) && !promptWords.test(text)) return true
  if (hasLabels(completion, text, pair)) return true
  return isSameText(completion, text, pair) || isShownLine(completion, text, shown)
}

/** Whether a completion has the labels of the few-shot examples, because the model continued them. */
function hasLabels(completion: string, text: string, { source, target }: LanguagePair): boolean {
  const names = [source, target].flatMap((code) => Object.values(describeLanguage(code)).slice(0, 2))
  const label = new RegExp(`(?:^|\\s)(?:${names.join('|')}|source|target|speaker \\w)\\s*[:：=]`, 'iu')
  return label.test(completion) && !label.test(text)
}

function isSameText(completion: string, text: string, { source, target }: LanguagePair): boolean {
  const said = wordsOf(withoutAddresses(completion)).filter(hasLetters)
  const original = wordsOf(withoutAddresses(text)).filter(hasLetters)
  if (said.length === 0 || original.length === 0) return false
  const isSame = said.join(' ') === original.join(' ')
  if (!isSame && !(said.length >= minSignificantWords && overlap(said, original) > minSameShare)) return false
  if (said.some((word) => isFrequent(word, source) && !isFrequent(word, target))) return true
  // Words already in the script of the target language, such as a name in Latin letters.
  const isForeign = said.every((word) => isWrittenIn(word, scriptsOf(target)) && !isWrittenIn(word, scriptsOf(source)))
  if (isForeign) return false
  const distinct = new Set(said).size
  if (shareScript(source, target) && isListOfNames(completion)) return false
  return shareScript(source, target) ? distinct >= minSignificantWords : distinct > 2
}

/** In scripts with letter case, names are capitalized. */
function isListOfNames(text: string): boolean {
  const words = text.match(/\p{L}[\p{L}\p{M}'’-]*/gu) ?? []
  return words.length > 0 && words.every((word) => /^\p{Lu}/u.test(word))
}

function isShownLine(completion: string, text: string, shown: ShownLine[]): boolean {
  const said = spokenForm(completion)
  if (said.split(' ').length < minSignificantWords) return false
  return shown.some(
    (line) =>
      (spokenForm(line.translation) === said || spokenForm(line.text) === said) &&
      overlap(wordsOf(line.text), wordsOf(text)) < minSameShare,
  )
}

/** Returns the share of words that two texts have in common. */
function overlap(one: string[], other: string[]): number {
  const left = new Map<string, number>()
  for (const word of other) left.set(word, (left.get(word) ?? 0) + 1)
  let common = 0
  for (const word of one) {
    const count = left.get(word) ?? 0
    if (count === 0) continue
    left.set(word, count - 1)
    common++
  }
  return common / Math.max(one.length, other.length, 1)
}
