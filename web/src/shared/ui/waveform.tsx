import classes from './waveform.module.css'

interface WaveformProps {
  /** One list per channel, values from 0 to 1. */
  peaks: number[][]
  /** Fraction of the recording that has been played, 0 to 1; 1 for a thumbnail. */
  played?: number
}

const barWidth = 3
const gap = 2
const laneHeight = 40
const laneGap = 6
/** Height of a silent bar, so that silence stays visible. */
const minBarHeight = 1.5

function laneClass(channel: number, channelCount: number): string | undefined {
  if (channelCount === 1) return classes.mono
  return channel === 0 ? classes.a : classes.b
}

/** Loudness over time, one lane per channel. Decorative: the component around it has the accessible name. */
export function Waveform({ peaks, played = 1 }: WaveformProps) {
  const barCount = Math.max(1, ...peaks.map((lane) => lane.length))
  const width = barCount * (barWidth + gap) - gap
  const height = peaks.length * laneHeight + (peaks.length - 1) * laneGap
  return (
    <svg
      className={classes.wave}
      viewBox={`0 0 ${width} ${Math.max(height, 1)}`}
      preserveAspectRatio="none"
      aria-hidden
    >
      {peaks.map((lane, channel) => (
        // Channels have a fixed order and no other key.
        // oxlint-disable-next-line react/no-array-index-key
        <g key={channel} className={laneClass(channel, peaks.length)}>
          {lane.map((peak, index) => {
            const barHeight = Math.max(minBarHeight, peak * laneHeight)
            const y = channel * (laneHeight + laneGap) + (laneHeight - barHeight) / 2
            const x = index * (barWidth + gap)
            const isAhead = (index + 0.5) / barCount > played
            return (
              <rect key={x} x={x} y={y} width={barWidth} height={barHeight} rx={1} data-ahead={isAhead || undefined} />
            )
          })}
        </g>
      ))}
    </svg>
  )
}
