import { westernDigits } from '#contract/western-digits.ts'

/** Returns the seconds of a clock time such as `12:30` or `1:02:09`; undefined for anything else. */
export function parseTime(text: string): number | undefined {
  const parts = /^(?:(\d{1,3}):)?(\d{1,3}):([0-5]\d)$/.exec(westernDigits(text.trim()))
  if (!parts) return undefined
  const [, hours = '0', minutes = '0', seconds = '0'] = parts
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
}
