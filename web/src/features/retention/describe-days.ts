/** `90 days`, `for ever`. */
export function describeDays(days: number): string {
  if (days === 0) return 'for ever'
  return `${days.toLocaleString('en')} ${days === 1 ? 'day' : 'days'}`
}
