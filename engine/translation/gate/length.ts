/** How much a text says: a letter of Chinese, Japanese or Korean stands for about three of an alphabet. */
function weight(text: string): number {
  const dense = text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu)?.length ?? 0
  return [...text.replace(/\s+/gu, ' ')].length + 2 * dense
}

/** An answer may be so many times as long as its text, and so much longer whatever the text. */
const mostTimes = 3
const freeCharacters = 40
/** Texts shorter than this may become a word. */
const shortText = 60
const leastShare = 0.2

/** Whether an answer is far longer or far shorter than a translation can be. */
export function isAbsurdLength(answer: string, text: string): 'longer' | 'shorter' | undefined {
  const [said, original] = [weight(answer), weight(text)]
  if (said > freeCharacters + mostTimes * original) return 'longer'
  return original >= shortText && said < leastShare * original ? 'shorter' : undefined
}
