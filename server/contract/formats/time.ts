/** Formats a time in milliseconds as hours, minutes and seconds, two digits each: 00:12:41. */
export function clock(timeMs: number): string {
  const seconds = Math.floor(timeMs / 1000)
  return [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60].map(twoDigits).join(':')
}

/** Formats as `clock` does, with milliseconds after `separator`. */
export function clockWithMs(timeMs: number, separator: ',' | '.'): string {
  return `${clock(timeMs)}${separator}${String(timeMs % 1000).padStart(3, '0')}`
}

/** Converts seconds to whole milliseconds. */
export function toMs(seconds: number): number {
  return Math.round(seconds * 1000)
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}
