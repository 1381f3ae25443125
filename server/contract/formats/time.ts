/** `h`, `m` and `s` of a time in milliseconds, two digits each, as in 00:12:41. */
export function clock(timeMs: number): string {
  const seconds = Math.floor(timeMs / 1000)
  return [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60].map(twoDigits).join(':')
}

/** As clock, with milliseconds after `separator`. */
export function clockWithMs(timeMs: number, separator: ',' | '.'): string {
  return `${clock(timeMs)}${separator}${String(timeMs % 1000).padStart(3, '0')}`
}

/** Seconds as whole milliseconds. */
export function toMs(seconds: number): number {
  return Math.round(seconds * 1000)
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}
