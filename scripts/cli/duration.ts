const unitMs: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: 24 * 3_600_000 }

/** Returns a duration such as `90s`, `30m`, `2h` or `1d` in milliseconds; undefined for anything else. */
export function parseDuration(text: string): number | undefined {
  const [, number, unit = ''] = /^(\d{1,4})([smhd])$/.exec(text) ?? []
  return number === undefined ? undefined : Number(number) * (unitMs[unit] ?? 0)
}

/** Formats a duration in its two largest units: `1 h 5 min`, `12.3 s`, `450 ms`. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${Number((ms / 1000).toFixed(1))} s`
  const minutes = Math.round(ms / 60_000)
  const parts = [
    [Math.floor(minutes / 1440), 'd'],
    [Math.floor(minutes / 60) % 24, 'h'],
    [minutes % 60, 'min'],
  ] as const
  return parts
    .filter(([count]) => count > 0)
    .slice(0, 2)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ')
}

/** Formats a time in UTC to the second: `2026-11-26 02:04:05 UTC`. */
export function formatTime(time: Date): string {
  return `${time.toISOString().slice(0, 19).replace('T', ' ')} UTC`
}
