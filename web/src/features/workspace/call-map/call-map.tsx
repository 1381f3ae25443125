import { useDesk } from '../desk/desk-context.ts'
import { SeekWave } from '../player/seek-wave.tsx'

/** The whole recording at a glance: activity of each channel, talk-over, hits and notes. */
export function CallMap() {
  const { recording } = useDesk()
  return <SeekWave peaks={recording.peaks} />
}
