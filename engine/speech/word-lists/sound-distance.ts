/** Letters with the same sound, or that speakers and recognizers interchange, in folded form (server/contract/keywords/fold.ts). */
const soundClasses = ['ckqxکق', 'gjگغ', 'hحهھخ', 'szسصثزذضظژڅځ', 'tdتطٹدڈ', 'bpبپ', 'fvwفو', 'mnمنںڼ', 'rlرڑل', 'جچشښږ']

/** Letters that may be written or left out: vowels, the Arabic letters that stand for them, and the h of `kh`, `th` and `gh`. */
const lightLetters = 'aeiouyhاویعءےه'

const classOf = new Map(
  soundClasses.flatMap((letters, index) => [...letters].map((letter) => [letter, index] as const)),
)
const light = new Set(lightLetters)

const nearCost = 0.5

/**
 * Returns how differently two folded words sound: 1 for each letter added, left out or replaced, but 0.5 if letters with the same sound,
 * two vowels or a doubled letter differ. Returns infinity above `limit`.
 */
export function soundDistance(a: string, b: string, limit: number): number {
  let previous = [0]
  for (let column = 0; column < b.length; column += 1) previous.push((previous[column] ?? 0) + gapCost(b, column))
  for (let row = 0; row < a.length; row += 1) {
    const removed = gapCost(a, row)
    const current = [(previous[0] ?? 0) + removed]
    let rowMinimum = current[0] ?? 0
    for (let column = 0; column < b.length; column += 1) {
      const cost = Math.min(
        (previous[column] ?? 0) + pairCost(a[row] ?? '', b[column] ?? ''),
        (previous[column + 1] ?? 0) + removed,
        (current[column] ?? 0) + gapCost(b, column),
      )
      current.push(cost)
      rowMinimum = Math.min(rowMinimum, cost)
    }
    if (rowMinimum > limit) return Number.POSITIVE_INFINITY
    previous = current
  }
  const distance = previous.at(-1) ?? 0
  return distance > limit ? Number.POSITIVE_INFINITY : distance
}

/** Returns the cost of a letter that a word has and the other word lacks. */
function gapCost(word: string, at: number): number {
  const letter = word[at] ?? ''
  return light.has(letter) || letter === word[at - 1] ? nearCost : 1
}

function pairCost(a: string, b: string): number {
  if (a === b) return 0
  if (light.has(a) && light.has(b)) return nearCost
  const one = classOf.get(a)
  return one !== undefined && one === classOf.get(b) ? nearCost : 1
}
