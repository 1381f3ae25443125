import { shareAt, spanOf, type MapWindow } from './map-window.ts'
import type { MapLine } from './map-lines.ts'

interface Band {
  top: number
  height: number
}

/** The positions of the parts of the map, in CSS pixels. */
export interface MapLayout {
  width: number
  height: number
  /** The row of hit signs and note flags. */
  marks: Band
  lanes: Band[]
}

/** From this height on, a map has room for larger signs. */
const minRoomyHeight = 80

export function layoutMap(width: number, height: number, laneCount: number): MapLayout {
  const isRoomy = height >= minRoomyHeight
  const marks = { top: 0, height: isRoomy ? 18 : 14 }
  const gap = isRoomy ? 6 : 4
  const laneHeight = Math.max(0, (height - marks.height - gap * (laneCount - 1)) / laneCount)
  const lanes = Array.from({ length: laneCount }, (_, lane) => ({
    top: marks.height + lane * (laneHeight + gap),
    height: laneHeight,
  }))
  return { width, height, marks, lanes }
}

/** Returns the lane at a height; undefined for the row of marks. */
export function laneAt({ lanes }: MapLayout, y: number): number | undefined {
  const lane = lanes.findLastIndex(({ top }) => y >= top)
  return lane < 0 ? undefined : lane
}

/** The hue of a column with silence, or with sound that belongs to no line. */
export const noHue = -1

/**
 * Returns the speaker's hue for each column of a lane, `noHue` for silence. Lines of more than a few columns end with `gap` columns of
 * silence, so that consecutive lines stay distinguishable.
 */
export function columnHues(
  lines: readonly Omit<MapLine, 'line'>[],
  { lane, window, columns, gap }: { lane: number; window: MapWindow; columns: number; gap: number },
): Int8Array {
  const hues = new Int8Array(columns).fill(noHue)
  for (const line of lines) {
    if (line.lane !== lane || line.to < window.from || line.from > window.to) continue
    const start = Math.floor(shareAt(window, line.from) * columns)
    const end = Math.max(start + 1, Math.ceil(shareAt(window, line.to) * columns))
    hues.fill(line.hue, Math.max(0, start), Math.max(0, end - start > 8 * gap ? end - gap : end))
  }
  return hues
}

/** Returns the runs of equal values, with start and end index, end exclusive. */
export function runsOf(values: Int8Array): { value: number; start: number; end: number }[] {
  const runs: { value: number; start: number; end: number }[] = []
  for (const [index, value] of values.entries()) {
    const last = runs.at(-1)
    if (last?.value === value) last.end = index + 1
    else runs.push({ value, start: index, end: index + 1 })
  }
  return runs
}

const tickSteps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200]
const minTickWidth = 76

/** Returns the times to label below the map: round ones, as many as fit, leaving out any that would be cut off at the end. */
export function listTicks(window: MapWindow, width: number): number[] {
  if (width <= 0) return []
  const minStep = (spanOf(window) * minTickWidth) / width
  const step = tickSteps.find((seconds) => seconds >= minStep) ?? 7200
  const first = Math.ceil(window.from / step) * step
  const last = window.to - minStep / 2
  return Array.from({ length: Math.max(0, Math.floor((last - first) / step) + 1) }, (_, index) => first + index * step)
}
