/** `90 days`, `for ever`. */
export function describeDays(days: number): string {
  if (days === 0) return 'for ever'
  return `${days.toLocaleString('en')} ${days === 1 ? 'day' : 'days'}`
}

/** `12 recordings`. */
export function countOf(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`
}
