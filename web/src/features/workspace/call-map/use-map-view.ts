import { useMemo, useState } from 'react'
import { isZoomed, panWindow, timeAt, turnTo, wholeWindow, zoomWindow, type MapWindow } from './map-window.ts'

/** Which part of the recording the map shows, and how to change it. */
export interface MapView {
  window: MapWindow
  durationSeconds: number
  isZoomed: boolean
  /** Multiplies the span by `factor` around a time, or around the middle by default. Returns whether the span changed. */
  zoom: (factor: number, at?: number) => boolean
  pan: (seconds: number) => void
  /** Moves the window to a time if that is not shown. */
  show: (time: number) => void
  showAll: () => void
}

export function useMapView(durationSeconds: number): MapView {
  const [window, setWindow] = useState(() => wholeWindow(durationSeconds))
  return useMemo(
    () => ({
      window,
      durationSeconds,
      isZoomed: isZoomed(window, durationSeconds),
      // Several wheel events may arrive before the next render.
      zoom(factor, at = timeAt(window, 0.5)) {
        setWindow((current) => zoomWindow(current, { factor, at }, durationSeconds))
        return zoomWindow(window, { factor, at }, durationSeconds) !== window
      },
      pan: (seconds) => setWindow((current) => panWindow(current, seconds, durationSeconds)),
      show: (time) => setWindow((current) => turnTo(current, time, durationSeconds)),
      showAll: () => setWindow(wholeWindow(durationSeconds)),
    }),
    [window, durationSeconds],
  )
}
