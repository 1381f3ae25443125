/** Formats a real-time factor as `4x real time (factor 0.25)`. */
export function formatSpeed(factor: number): string {
  if (factor <= 0) return 'not measured'
  const times = 1 / factor
  return `${trim(times)}x real time (factor ${trim(factor)})`
}

function trim(value: number): string {
  return String(Number(value.toPrecision(2)))
}
