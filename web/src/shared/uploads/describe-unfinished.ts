/** Returns how many uploads were not finished, as a sentence without its full stop. */
export function describeUnfinished(count: number): string {
  return count === 1 ? '1 upload was not finished' : `${count} uploads were not finished`
}
