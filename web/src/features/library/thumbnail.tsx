import classes from './thumbnail.module.css'

const barStep = 4
const laneHeight = 16
/** Silence stays visible. */
const minBarHeight = 1

/** Loudness over time, one path per channel: a list has many of these. Decoration. */
export function Thumbnail({ peaks }: { peaks: number[][] }) {
  const barCount = Math.max(1, ...peaks.map((lane) => lane.length))
  return (
    <svg
      className={classes.thumbnail}
      viewBox={`0 0 ${barCount * barStep} ${Math.max(1, peaks.length) * laneHeight}`}
      preserveAspectRatio="none"
      aria-hidden
    >
      {peaks.map((lane, channel) => (
        // oxlint-disable-next-line react/no-array-index-key -- channels have a fixed order and no other name
        <path key={channel} className={laneClass(channel, peaks.length)} d={drawLane(lane, channel)} />
      ))}
    </svg>
  )
}

function laneClass(channel: number, channelCount: number): string | undefined {
  if (channelCount === 1) return classes.mono
  return channel === 0 ? classes.a : classes.b
}

function drawLane(lane: number[], channel: number): string {
  const middle = channel * laneHeight + laneHeight / 2
  return lane
    .map((peak, index) => {
      const height = Math.max(minBarHeight, peak * (laneHeight - 2))
      return `M${index * barStep + 2} ${(middle - height / 2).toFixed(1)}v${height.toFixed(1)}`
    })
    .join('')
}
