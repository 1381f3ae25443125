/** Lists of numbers in ascending order, each number once. */

export function intersect(a: number[], b: number[]): number[] {
  const both: number[] = []
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    const [x = 0, y = 0] = [a[i], b[j]]
    if (x === y) both.push(x)
    if (x <= y) i += 1
    if (y <= x) j += 1
  }
  return both
}

export function unite(lists: number[][]): number[] {
  const [only = []] = lists
  return lists.length < 2 ? only : [...new Set(lists.flat())].toSorted((a, b) => a - b)
}

export function subtract(from: number[], removed: number[]): number[] {
  if (removed.length === 0) return from
  const isRemoved = new Set(removed)
  return from.filter((number) => !isRemoved.has(number))
}
