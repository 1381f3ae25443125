import { useRef, type KeyboardEvent, type PointerEvent } from 'react'
import { t } from '#contract/texts/t.ts'
import { formatClock, formatClockRange } from '../../../shared/format.ts'
import { listTicks } from './map-layout.ts'
import classes from './map-ruler.module.css'
import { shareAt, spanOf } from './map-window.ts'
import type { MapView } from './use-map-view.ts'

interface MapRulerProps {
  view: MapView
  width: number
  /** The id of the map that the ruler scrolls. */
  mapId: string
}

/** Round times below the map, and a scroll bar while zoomed. */
export function MapRuler({ view, width, mapId }: MapRulerProps) {
  const { window } = view
  return (
    <div className={classes.ruler}>
      {listTicks(window, width).map((time) => (
        <span key={time} className={classes.tick} style={{ left: `${shareAt(window, time) * 100}%` }} aria-hidden>
          {formatClock(time)}
        </span>
      ))}
      {view.isZoomed && <ScrollBar view={view} mapId={mapId} />}
    </div>
  )
}

function ScrollBar({ view, mapId }: Omit<MapRulerProps, 'width'>) {
  const { window, durationSeconds } = view
  const lastX = useRef<number | null>(null)
  const span = spanOf(window)

  function begin(event: PointerEvent<HTMLDivElement>) {
    event.currentTarget.setPointerCapture(event.pointerId)
    lastX.current = event.clientX
    const box = event.currentTarget.getBoundingClientRect()
    const time = ((event.clientX - box.left) / box.width) * durationSeconds
    // A press outside the thumb moves the thumb to the pointer.
    if (time < window.from || time > window.to) view.pan(time - span / 2 - window.from)
  }

  function move(event: PointerEvent<HTMLDivElement>) {
    if (lastX.current === null) return
    view.pan(((event.clientX - lastX.current) / event.currentTarget.clientWidth) * durationSeconds)
    lastX.current = event.clientX
  }

  function step(event: KeyboardEvent) {
    const steps: Record<string, number> = {
      ArrowLeft: -span / 10,
      ArrowRight: span / 10,
      PageUp: -span,
      PageDown: span,
    }
    const seconds = { ...steps, Home: -durationSeconds, End: durationSeconds }[event.key]
    if (seconds === undefined) return
    event.preventDefault()
    view.pan(seconds)
  }

  return (
    <div
      className={classes.bar}
      role="scrollbar"
      tabIndex={0}
      aria-label={t('Shown part of the call map')}
      aria-controls={mapId}
      aria-orientation="horizontal"
      aria-valuemin={0}
      aria-valuemax={Math.round(durationSeconds - span)}
      aria-valuenow={Math.round(window.from)}
      aria-valuetext={formatClockRange(window.from, window.to)}
      onKeyDown={step}
      onPointerDown={begin}
      onPointerMove={move}
      onPointerUp={() => {
        lastX.current = null
      }}
      onPointerCancel={() => {
        lastX.current = null
      }}
    >
      <span
        className={classes.thumb}
        style={{ left: `${(window.from / durationSeconds) * 100}%`, width: `${(span / durationSeconds) * 100}%` }}
      />
    </div>
  )
}
