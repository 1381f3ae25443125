import { spanOf, type MapWindow } from './map-window.ts'

/** Levels of all frequencies between two times, as sent by the server: for each channel, columns of rows from the lowest up. */
export interface SpectrogramTile extends MapWindow {
  columns: number
  rows: number
  /** The upper edge of the highest row. */
  maxHz: number
  channels: Uint8Array[]
}

/** The longest part that the server decodes. */
export const maxSpectrogramSeconds = 300

/**
 * Returns the parts of the recording to request: the one or two that cover the window, 300 s long or halved as often as the part is still
 * as long as the window, so that slightly different windows need the same parts. None for a window of more than 300 s.
 */
export function listSpectrogramTiles(window: MapWindow, durationSeconds: number): MapWindow[] {
  const shown = spanOf(window)
  if (shown > maxSpectrogramSeconds || shown <= 0) return []
  const span = maxSpectrogramSeconds / 2 ** Math.floor(Math.log2(maxSpectrogramSeconds / shown))
  const first = Math.floor(window.from / span)
  const last = Math.max(first, Math.ceil(window.to / span) - 1)
  return Array.from({ length: last - first + 1 }, (_, index) => {
    const from = (first + index) * span
    return { from, to: Math.min(durationSeconds, from + span) }
  }).filter(({ from, to }) => to > from)
}

/** Anything quieter than the loudest by more than this is not shown: voices lie within this range, room noise below it. */
const shownDb = 55
const dbPerLevel = 96 / 255
/** This share of the levels gets full opacity, so that a single click does not make everything else lighter. */
const darkestShare = 0.001

/** Returns the opacity, 0 to 255, for each level, from the loudest in these tiles down to 55 dB below it. */
export function levelOpacity(tiles: readonly SpectrogramTile[]): Uint8ClampedArray {
  const counts = new Uint32Array(256)
  let total = 0
  for (const level of tiles.flatMap(({ channels }) => channels)) {
    for (const value of level) counts[value] = (counts[value] ?? 0) + 1
    total += level.length
  }
  let darkest = 255
  for (let above = 0; darkest > 1; darkest -= 1) {
    above += counts[darkest] ?? 0
    if (above > darkestShare * total) break
  }
  const lightest = darkest - shownDb / dbPerLevel
  return Uint8ClampedArray.from({ length: 256 }, (_, level) => (255 * (level - lightest)) / (darkest - lightest))
}
