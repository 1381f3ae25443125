import { useAtomValue } from '../../../shared/jotai.ts'
import { playerTimeAtom } from '../player/use-audio-player.ts'
import classes from './speaker-lane.module.css'
import type { Voice } from './voices.ts'

const width = 1000

/** Where in the recording a voice speaks. Decorative: the timeline has the same as text. */
export function SpeakerLane({ spans, durationSeconds }: { spans: Voice['spans']; durationSeconds: number }) {
  return (
    <div className={classes.lane} aria-hidden>
      <svg viewBox={`0 0 ${width} 1`} preserveAspectRatio="none">
        {spans.map(({ from, to }) => (
          <rect key={from} x={from * width} width={(to - from) * width} height={1} />
        ))}
      </svg>
      <Playhead durationSeconds={durationSeconds} />
    </div>
  )
}

function Playhead({ durationSeconds }: { durationSeconds: number }) {
  const time = useAtomValue(playerTimeAtom)
  const share = durationSeconds > 0 ? Math.min(1, time / durationSeconds) : 0
  return <span className={classes.playhead} style={{ insetInlineStart: `${share * 100}%` }} />
}
