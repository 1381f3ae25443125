import classes from './auth.module.css'

const width = 800
const height = 900
const lineCount = 26
const stepPx = 10

/** A line of the field: two swells whose height fades towards the edges, like speech between silences. */
function linePath(index: number): string {
  const y = 60 + (index * (height - 120)) / (lineCount - 1)
  const phase = index * 0.42
  const points: string[] = []
  for (let x = 0; x <= width; x += stepPx) {
    const along = x / width
    const swell = Math.exp(-((along - 0.36 - 0.06 * Math.sin(phase)) ** 2) / 0.02)
    const second = Math.exp(-((along - 0.72 + 0.05 * Math.cos(phase)) ** 2) / 0.012)
    const middle = 1 - Math.abs(index - lineCount / 2) / (lineCount / 2)
    const lift = (swell * 46 + second * 30) * (0.25 + 0.75 * middle)
    const ripple = Math.sin(along * 38 + phase * 2.2) * 0.5 + Math.sin(along * 61 - phase) * 0.5
    points.push(`${x.toFixed(0)},${(y - lift * (0.55 + 0.45 * ripple)).toFixed(1)}`)
  }
  return `M${points.join('L')}`
}

const paths = Array.from({ length: lineCount }, (_, index) => linePath(index))

/** Waveform lines in the accent. Decoration only. */
export function WaveField() {
  return (
    <svg className={classes.field} viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="xMidYMid slice" aria-hidden>
      {paths.map((path, index) => (
        <path key={path} d={path} opacity={0.18 + 0.62 * (1 - Math.abs(index - lineCount / 2) / (lineCount / 2))} />
      ))}
    </svg>
  )
}
