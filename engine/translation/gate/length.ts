/** Returns the length in letters of an alphabet; a Chinese, Japanese or Korean character counts as three. */
function effectiveLength(text: string): number {
  const dense = text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu)?.length ?? 0
  return [...text.replace(/\s+/gu, ' ')].length + 2 * dense
}

/** A translation may be this many times as long as its text, and this much longer than any text. */
const maxLengthFactor = 3
const freeCharacters = 40
/** A shorter text may be translated by a single word. */
const shortText = 60
const minLengthFactor = 0.2

/** Returns whether a completion is far longer or far shorter than a translation can be; undefined where it is neither. */
export function compareLength(completion: string, text: string): 'longer' | 'shorter' | undefined {
  const [said, original] = [effectiveLength(completion), effectiveLength(text)]
  if (said > freeCharacters + maxLengthFactor * original) return 'longer'
  return original >= shortText && said < minLengthFactor * original ? 'shorter' : undefined
}
