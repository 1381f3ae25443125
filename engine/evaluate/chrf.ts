/**
 * chrF2 as sacrebleu computes it by default (signature `nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no`): character n-grams up to 6
 * without white space, recall weighted twice, n-gram counts summed over all texts before the score is computed (Popović 2015).
 */
const maxOrder = 6
const beta = 2

/** White space of Python's str.split(), which sacrebleu uses: it includes U+0085, but not the byte order mark. */
const whiteSpace = /[[\s\u0085]--\uFEFF]+/gv

/** N-gram counts of one text or a sum of several: in the hypothesis, in the reference and in both, by order from 1. */
export interface ChrfCounts {
  hypothesis: number[]
  reference: number[]
  matching: number[]
}

export function countChrf(hypothesis: string, reference: string): ChrfCounts {
  const counts = emptyChrfCounts()
  const [own, wanted] = [letters(hypothesis), letters(reference)]
  for (let order = 1; order <= maxOrder; order += 1) {
    const found = countNgrams(own, order)
    const expected = countNgrams(wanted, order)
    let matching = 0
    for (const [ngram, count] of found) matching += Math.min(count, expected.get(ngram) ?? 0)
    // As in sacrebleu, the hypothesis counts 0 if the reference has no n-grams of this order.
    counts.hypothesis[order - 1] = expected.size === 0 ? 0 : sizeOf(own, order)
    counts.reference[order - 1] = sizeOf(wanted, order)
    counts.matching[order - 1] = matching
  }
  return counts
}

export function emptyChrfCounts(): ChrfCounts {
  const zeros = () => Array.from({ length: maxOrder }, () => 0)
  return { hypothesis: zeros(), reference: zeros(), matching: zeros() }
}

export function addChrfCounts(sum: ChrfCounts, { hypothesis, reference, matching }: ChrfCounts): void {
  for (let index = 0; index < maxOrder; index += 1) {
    sum.hypothesis[index] = (sum.hypothesis[index] ?? 0) + (hypothesis[index] ?? 0)
    sum.reference[index] = (sum.reference[index] ?? 0) + (reference[index] ?? 0)
    sum.matching[index] = (sum.matching[index] ?? 0) + (matching[index] ?? 0)
  }
}

/** Returns the score of summed counts, 0 to 100. */
export function chrfScore({ hypothesis, reference, matching }: ChrfCounts): number {
  let [precision, recall, orders] = [0, 0, 0]
  for (let index = 0; index < maxOrder; index += 1) {
    const [own, wanted, both] = [hypothesis[index] ?? 0, reference[index] ?? 0, matching[index] ?? 0]
    if (own === 0 || wanted === 0) continue
    precision += both / own
    recall += both / wanted
    orders += 1
  }
  if (precision + recall === 0) return 0
  precision /= orders
  recall /= orders
  return (100 * (1 + beta ** 2) * precision * recall) / (beta ** 2 * precision + recall)
}

/** Returns the corpus chrF2 of pairs of hypothesis and reference. */
export function corpusChrf(pairs: readonly { hypothesis: string; reference: string }[]): number {
  const sum = emptyChrfCounts()
  for (const { hypothesis, reference } of pairs) addChrfCounts(sum, countChrf(hypothesis, reference))
  return chrfScore(sum)
}

function letters(text: string): string[] {
  return [...text.replaceAll(whiteSpace, '')]
}

function sizeOf(letters: readonly string[], order: number): number {
  return Math.max(0, letters.length - order + 1)
}

function countNgrams(letters: readonly string[], order: number): Map<string, number> {
  const counts = new Map<string, number>()
  for (let at = 0; at + order <= letters.length; at += 1) {
    const ngram = letters.slice(at, at + order).join('')
    counts.set(ngram, (counts.get(ngram) ?? 0) + 1)
  }
  return counts
}
