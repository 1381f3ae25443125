import type { MapLine, TalkOver } from './map-lines.ts'
import { columnHues, noHue, runsOf, type MapLayout } from './map-layout.ts'
import type { MapPalette } from './map-palette.ts'
import { shareAt, type MapWindow } from './map-window.ts'
import { columnHeights, type PeakTile } from './peak-tiles.ts'

export interface ActivityDrawing {
  window: MapWindow
  layout: MapLayout
  tiles: readonly PeakTile[]
  lines: readonly MapLine[]
  talkOver: readonly TalkOver[]
  /** False if something else is drawn over the shading of the lines. */
  hasWave: boolean
}

interface Pen {
  context: CanvasRenderingContext2D
  palette: MapPalette
  /** Device pixels per CSS pixel; columns are device pixels. */
  ratio: number
}

interface Lane {
  /** In device pixels. */
  top: number
  height: number
  heights: Uint8Array
  hues: Int8Array
  /** Used before there are lines, which say who is speaking. */
  defaultColour: string | null
}

/** Quiet recordings are scaled up, by at most this factor. */
const maxGain = 3
/** Applied to heights, which are square roots of amplitudes: noise stays a thin line, and a quiet voice is still visible. */
const heightExponent = 1.6
const shadeAlpha = 0.13
/** In CSS pixels. */
const minRoundedWidth = 12
const silenceAlpha = 0.45

/** Draws the lanes: how loud each channel is, who is speaking, and where two people speak at once. */
export function drawActivity(pen: Pen, drawing: ActivityDrawing): void {
  const { window, layout, tiles, lines, talkOver, hasWave } = drawing
  const { context, palette, ratio } = pen
  const columns = Math.round(layout.width * ratio)
  context.clearRect(0, 0, columns, Math.round(layout.height * ratio))
  const gain = gainOf(tiles)
  for (const [index, band] of layout.lanes.entries()) {
    const top = Math.round(band.top * ratio)
    const lane: Lane = {
      top,
      height: Math.round((band.top + band.height) * ratio) - top,
      heights: columnHeights(tiles, index, window, columns),
      hues: columnHues(lines, { lane: index, window, columns, gap: Math.round(ratio) }),
      defaultColour: lines.length > 0 ? null : defaultColour(palette, layout, index),
    }
    shadeLines(pen, lane)
    if (hasWave) drawWave(pen, lane, gain)
  }
  hatchTalkOver(pen, { window, layout, talkOver })
}

function defaultColour(palette: MapPalette, { lanes }: MapLayout, lane: number): string {
  return (lanes.length > 1 ? palette.voices[lane] : undefined) ?? palette.accent
}

/** Returns the factor by which the loudest point of the recording fills its lane. */
function gainOf([whole]: readonly PeakTile[]): number {
  const loudest = Math.max(0, ...(whole?.channels ?? []).map((heights) => heights.reduce((a, b) => Math.max(a, b), 0)))
  return loudest === 0 ? 1 : Math.min(maxGain, 255 / loudest)
}

function shadeLines({ context, palette, ratio }: Pen, { top, height, hues }: Lane): void {
  context.globalAlpha = shadeAlpha
  for (const { value, start, end } of runsOf(hues)) {
    if (value === noHue) continue
    context.fillStyle = palette.voices[value] ?? palette.muted
    // Rounded corners take time to draw and are invisible on a narrow line.
    if (end - start < minRoundedWidth * ratio) {
      context.fillRect(start, top, end - start, height)
      continue
    }
    context.beginPath()
    context.roundRect(start, top, end - start, height, 3 * ratio)
    context.fill()
  }
  context.globalAlpha = 1
}

function drawWave({ context, palette, ratio }: Pen, lane: Lane, gain: number): void {
  const { top, height, heights, hues } = lane
  const middle = top + height / 2
  for (const { value, start, end } of runsOf(hues)) {
    const isSilence = value === noHue
    context.fillStyle = isSilence ? (lane.defaultColour ?? palette.muted) : (palette.voices[value] ?? palette.muted)
    context.globalAlpha = isSilence && !lane.defaultColour ? silenceAlpha : 1
    for (let column = start; column < end; column += 1) {
      const share = Math.min(1, ((heights[column] ?? 0) * gain) / 255) ** heightExponent
      const size = Math.max(1, Math.round(share * (height - 2 * ratio)))
      context.fillRect(column, Math.round(middle - size / 2), 1, size)
    }
  }
  context.globalAlpha = 1
}

/** Cuts stripes out of the lanes, and joins two lanes with a bar between them. */
function hatchTalkOver(
  { context, palette, ratio }: Pen,
  { window, layout, talkOver }: Pick<ActivityDrawing, 'window' | 'layout' | 'talkOver'>,
): void {
  const stripes = createStripes(context, palette.surface, ratio)
  for (const { from, to, lane } of talkOver) {
    if (to < window.from || from > window.to) continue
    const left = shareAt(window, from) * layout.width * ratio
    const width = Math.max(ratio, shareAt(window, to) * layout.width * ratio - left)
    for (const { top, height } of lane === null ? layout.lanes : layout.lanes.slice(lane, lane + 1)) {
      if (!stripes) break
      context.fillStyle = stripes
      context.fillRect(left, top * ratio, width, height * ratio)
    }
    const bar = barOf(layout, lane)
    context.fillStyle = palette.text
    context.globalAlpha = 0.55
    context.fillRect(left, bar.top * ratio, width, bar.height * ratio)
    context.globalAlpha = 1
  }
}

/** Returns the bar's place: between the lanes, or at the bottom of a lane with two voices. */
function barOf({ lanes }: MapLayout, lane: number | null): { top: number; height: number } {
  const [first, second] = lanes
  const own = lane === null ? undefined : lanes[lane]
  if (own) return { top: own.top + own.height - 2, height: 2 }
  const top = first ? first.top + first.height : 0
  return { top: top + 1, height: Math.max(1, (second?.top ?? top + 2) - top - 2) }
}

function createStripes(context: CanvasRenderingContext2D, colour: string, ratio: number): CanvasPattern | null {
  const size = Math.round(6 * ratio)
  const tile = document.createElement('canvas')
  tile.width = size
  tile.height = size
  const pen = tile.getContext('2d')
  if (!pen) return null
  pen.strokeStyle = colour
  pen.lineWidth = size / 2.6
  // Three strokes, so that the stripes line up at the edges of the tile.
  for (const shift of [-size, 0, size]) {
    pen.beginPath()
    pen.moveTo(shift - 1, size + 1)
    pen.lineTo(shift + size + 1, -1)
    pen.stroke()
  }
  return context.createPattern(tile, 'repeat')
}
