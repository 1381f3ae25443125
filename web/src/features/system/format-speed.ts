/** `4x real time (factor 0.25)`: how fast sound is worked on, and the real-time factor that engineers compare. */
export function formatSpeed(factor: number): string {
  if (factor <= 0) return 'not measured'
  const times = 1 / factor
  return `${trim(times)}x real time (factor ${trim(factor)})`
}

function trim(value: number): string {
  return String(Number(value.toPrecision(2)))
}
