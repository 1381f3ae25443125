/**
 * Returns the fewest insertions, deletions and substitutions that turn one sequence into the other: words of a list, letters of a
 * string. With `limit`, returns `limit + 1` for any greater distance.
 */
export function editDistance<Item>(a: ArrayLike<Item>, b: ArrayLike<Item>, limit = Number.POSITIVE_INFINITY): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let row = 0; row < a.length; row += 1) {
    const current = [row + 1]
    let rowMinimum = row + 1
    for (let column = 0; column < b.length; column += 1) {
      const substituted = (previous[column] ?? 0) + (a[row] === b[column] ? 0 : 1)
      const cost = Math.min(substituted, (previous[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1)
      current.push(cost)
      rowMinimum = Math.min(rowMinimum, cost)
    }
    if (rowMinimum > limit) return limit + 1
    previous = current
  }
  return previous.at(-1) ?? 0
}
