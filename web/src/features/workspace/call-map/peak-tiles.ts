import { spanOf, type MapWindow } from './map-window.ts'

/** Heights of both channels between two times, as the server sends them. */
export interface PeakTile extends MapWindow {
  channels: Uint8Array[]
}

/** A part of the recording to request. Slightly different windows use the same tiles, so zooming and panning rarely send requests. */
export interface TileRange extends MapWindow {
  bins: number
}

const maxBins = 4096
/** The finest resolution that the server has. */
const minBinSeconds = 0.02

/** Returns the tiles for drawing a window: the whole recording and, while zoomed, the one or two parts that cover the window. */
export function listTiles(window: MapWindow, durationSeconds: number): TileRange[] {
  const whole = toTile(0, durationSeconds)
  const level = levelOf(window, durationSeconds)
  if (level === 0) return [whole]
  const span = durationSeconds / 2 ** level
  const first = Math.floor(window.from / span)
  const last = Math.min(2 ** level - 1, Math.floor(window.to / span))
  const parts = Array.from({ length: last - first + 1 }, (_, index) => {
    const part = first + index
    return toTile(part * span, part === 2 ** level - 1 ? durationSeconds : (part + 1) * span)
  })
  return [whole, ...parts]
}

/** Returns how often to halve the recording: a window spans at least half a tile, and tiles are no finer than the server's heights. */
function levelOf(window: MapWindow, durationSeconds: number): number {
  const byWindow = Math.log2(durationSeconds / Math.max(spanOf(window), minBinSeconds))
  const byDetail = Math.log2(durationSeconds / (maxBins * minBinSeconds))
  return Math.max(0, Math.min(Math.floor(byWindow), Math.ceil(byDetail)))
}

function toTile(from: number, to: number): TileRange {
  const bins = Math.min(maxBins, Math.ceil((to - from) / minBinSeconds))
  return { from: roundTime(from), to: roundTime(to), bins: Math.max(1, bins) }
}

/** Rounds to milliseconds, so that addresses are short and identical for the same tile. */
function roundTime(seconds: number): number {
  return Math.round(seconds * 1000) / 1000
}

/**
 * Returns the height of each column of a window, 0 to 255, from the tiles of one channel, coarsest first; finer tiles override coarser.
 */
export function columnHeights(tiles: readonly PeakTile[], channel: number, window: MapWindow, columns: number) {
  const heights = new Uint8Array(columns)
  const secondsPerColumn = spanOf(window) / columns
  for (const tile of tiles) {
    const bins = tile.channels[channel]
    if (!bins || bins.length === 0) continue
    const secondsPerBin = spanOf(tile) / bins.length
    const first = Math.max(0, Math.ceil((tile.from - window.from) / secondsPerColumn))
    const last = Math.min(columns, Math.floor((tile.to - window.from) / secondsPerColumn))
    for (let column = first; column < last; column += 1) {
      const time = window.from + column * secondsPerColumn - tile.from
      const start = Math.floor(time / secondsPerBin)
      const end = Math.max(start + 1, Math.floor((time + secondsPerColumn) / secondsPerBin))
      let largest = 0
      for (let bin = start; bin < end; bin += 1) largest = Math.max(largest, bins[bin] ?? 0)
      heights[column] = largest
    }
  }
  return heights
}
