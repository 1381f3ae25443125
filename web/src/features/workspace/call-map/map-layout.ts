import { shareAt, spanOf, type MapWindow } from './map-window.ts'
import type { MapLine } from './map-lines.ts'

interface Band {
  top: number
  height: number
}

/** Where the parts of the map are, in CSS pixels. */
export interface MapLayout {
  width: number
  height: number
  /** The row of the hits' signs and the notes' flags. */
  marks: Band
  lanes: Band[]
}

/** A map of at least this height has room for larger signs. */
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

/** A column of silence, or of what no line explains. */
export const noHue = -1

/**
 * Returns the hue of the speaker for each column of a lane; `noHue` for silence. Lines of more than a few columns end with `gap` columns of
 * silence, so that one is seen to end where the next begins.
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

/** Returns the stretches of equal values: where each begins and ends, the end excluded. */
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

/** Returns the times to write below the map: round ones, as many as fit, without those that would be cut off at the end. */
export function listTicks(window: MapWindow, width: number): number[] {
  if (width <= 0) return []
  const minStep = (spanOf(window) * minTickWidth) / width
  const step = tickSteps.find((seconds) => seconds >= minStep) ?? 7200
  const first = Math.ceil(window.from / step) * step
  const last = window.to - minStep / 2
  return Array.from({ length: Math.max(0, Math.floor((last - first) / step) + 1) }, (_, index) => first + index * step)
}
