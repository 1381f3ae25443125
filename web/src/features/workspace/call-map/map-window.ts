/** The part of a recording that the map shows, in seconds from its start. */
export interface MapWindow {
  from: number
  to: number
}

/** Zooming in further would gain nothing: a word would fill the map. */
const minSpanSeconds = 10
/** Where the playback position appears in a window that moves to it. */
const leadShare = 0.1

export function wholeWindow(durationSeconds: number): MapWindow {
  return { from: 0, to: durationSeconds }
}

export function spanOf({ from, to }: MapWindow): number {
  return to - from
}

export function isZoomed(window: MapWindow, durationSeconds: number): boolean {
  return spanOf(window) < durationSeconds
}

/** Returns whether the map of a recording can show less than all of it. */
export function canZoom(durationSeconds: number): boolean {
  return durationSeconds > minSpanSeconds
}

/** Returns the window after zooming around a time, which keeps its place; the same window if it cannot grow or shrink further. */
export function zoomWindow(
  window: MapWindow,
  { factor, at }: { factor: number; at: number },
  durationSeconds: number,
): MapWindow {
  const before = spanOf(window)
  const span = Math.min(durationSeconds, Math.max(Math.min(minSpanSeconds, durationSeconds), before * factor))
  if (span === before) return window
  const from = at - (at - window.from) * (span / before)
  return placeWindow(from, span, durationSeconds)
}

/** Returns the window moved by `seconds`, at most to an end of the recording. */
export function panWindow(window: MapWindow, seconds: number, durationSeconds: number): MapWindow {
  return placeWindow(window.from + seconds, spanOf(window), durationSeconds)
}

/** Returns a window of the same span that contains a time; the same window if it already does. */
export function turnTo(window: MapWindow, time: number, durationSeconds: number): MapWindow {
  if (contains(window, time)) return window
  const span = spanOf(window)
  return placeWindow(time - span * leadShare, span, durationSeconds)
}

export function contains({ from, to }: MapWindow, time: number): boolean {
  return time >= from && time <= to
}

/** Returns the position of a time in the window: 0 at its start, 1 at its end, below or above if outside. */
export function shareAt(window: MapWindow, time: number): number {
  const span = spanOf(window)
  return span > 0 ? (time - window.from) / span : 0
}

export function timeAt(window: MapWindow, share: number): number {
  return window.from + Math.min(1, Math.max(0, share)) * spanOf(window)
}

function placeWindow(from: number, span: number, durationSeconds: number): MapWindow {
  const start = Math.min(Math.max(0, from), durationSeconds - span)
  return { from: start, to: start + span }
}
