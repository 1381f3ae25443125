import { wordsOf } from './words.ts'

/** More consecutive repetitions than this are not emphasis, unless the text has as many. */
const maxRepeatedWords = 4
const maxRepeatedPhrases = 3
const maxPhraseWords = 12

/** Whether a completion is a repetition loop while its text is not. */
export function isLoop(completion: string, text: string): boolean {
  return (
    isRepeatedLetter(completion, text) ||
    isRepeatedPhrase(wordsOf(completion), wordsOf(text)) ||
    isMonotone(completion, text)
  )
}

/** One or a few characters repeated: "hahahahaha", "........". */
function isRepeatedLetter(completion: string, text: string): boolean {
  const repeated = /(\S{1,4}?)\1{7,}/u
  const digits = /^\d+$/u
  const found = repeated.exec(completion)
  return found !== null && !digits.test(found[1] ?? '') && !repeated.test(text)
}

function isRepeatedPhrase(completion: string[], text: string[]): boolean {
  for (let size = 1; size <= Math.min(maxPhraseWords, completion.length / 2); size++) {
    const max = size === 1 ? maxRepeatedWords : maxRepeatedPhrases
    const times = longestRun(completion, size)
    const share = (times * size) / completion.length
    // A phrase repeated once is a loop only if it is long and makes up the whole completion.
    const isWhole = times >= 2 && share > 0.9 && size >= 5
    if ((times > max || (times >= max && share > 0.5) || isWhole) && times > longestRun(text, size)) {
      if (!(longestRun(text, 1) >= times)) return true
    }
  }
  return false
}

/** Returns the maximum number of consecutive repetitions of a phrase of `size` words. */
function longestRun(words: string[], size: number): number {
  let longest = words.length >= size ? 1 : 0
  for (let offset = 0; offset < size; offset++) {
    let run = 1
    for (let at = offset + size; at + size <= words.length; at += size) {
      run = isSame(words, at - size, at, size) ? run + 1 : 1
      longest = Math.max(longest, run)
    }
  }
  return longest
}

function isSame(words: string[], a: number, b: number, size: number): boolean {
  for (let index = 0; index < size; index++) if (words[a + index] !== words[b + index]) return false
  return true
}

/** Whether a long completion has few distinct words while the text has many. */
function isMonotone(completion: string, text: string): boolean {
  const [said, original] = [wordsOf(completion), wordsOf(text)]
  if (said.length < 16) return false
  const variety = new Set(said).size / said.length
  const expected = original.length === 0 ? 1 : new Set(original).size / original.length
  return variety < 0.35 && expected > variety * 1.6
}
