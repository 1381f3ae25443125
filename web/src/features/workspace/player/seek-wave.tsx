import type { KeyboardEvent, PointerEvent } from 'react'
import { t } from '#contract/texts/t.ts'
import { formatClock } from '../../../shared/format.ts'
import { useAtomValue } from '../../../shared/jotai.ts'
import { Waveform } from '../../../shared/ui/waveform.tsx'
import { usePlayer } from './player-context.ts'
import classes from './seek-wave.module.css'
import { playerTimeAtom } from './use-audio-player.ts'

const stepSeconds = 5

interface SeekWaveProps {
  peaks: number[][]
  /** The part of the recording that is shown larger elsewhere, in seconds. */
  window?: { from: number; to: number } | undefined
}

/** The waveform of 50 bars as a slider over the recording: click or drag seeks, arrow keys step. */
export function SeekWave({ peaks, window }: SeekWaveProps) {
  const player = usePlayer()
  const time = useAtomValue(playerTimeAtom)
  const duration = Math.max(player.durationSeconds, 0.001)

  function seekTo(event: PointerEvent<HTMLDivElement>) {
    const box = event.currentTarget.getBoundingClientRect()
    player.seek(((event.clientX - box.left) / box.width) * duration)
  }

  function step(event: KeyboardEvent) {
    const targets: Record<string, number> = {
      ArrowLeft: time - stepSeconds,
      ArrowDown: time - stepSeconds,
      ArrowRight: time + stepSeconds,
      ArrowUp: time + stepSeconds,
      Home: 0,
      End: duration,
    }
    const target = targets[event.key]
    if (target === undefined) return
    event.preventDefault()
    player.seek(target)
  }

  return (
    <div
      className={classes.seek}
      role="slider"
      tabIndex={0}
      aria-label={t('Position in the recording')}
      aria-valuemin={0}
      aria-valuemax={Math.round(duration)}
      aria-valuenow={Math.round(time)}
      aria-valuetext={t('{time} of {duration}', { time: formatClock(time), duration: formatClock(duration) })}
      onKeyDown={step}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        seekTo(event)
      }}
      onPointerMove={(event) => {
        if (event.buttons === 1) seekTo(event)
      }}
    >
      <Waveform peaks={fillHeight(peaks)} played={time / duration} />
      {window && (
        <span
          className={classes.window}
          style={{
            left: `${(window.from / duration) * 100}%`,
            width: `${((window.to - window.from) / duration) * 100}%`,
          }}
        />
      )}
      <span className={classes.playhead} style={{ left: `${Math.min(100, (time / duration) * 100)}%` }} />
    </div>
  )
}

/** Scales the bars so that the loudest one fills the height of the small overview. */
function fillHeight(peaks: number[][]): number[][] {
  const loudest = Math.max(0, ...peaks.flat())
  return loudest === 0 ? peaks : peaks.map((lane) => lane.map((peak) => peak / loudest))
}
