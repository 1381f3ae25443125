import { t } from '#contract/texts/t.ts'
import { formatNumber } from '../../../shared/format.ts'
import type { LayerPainter } from './map-layer.tsx'
import type { MapLayout } from './map-layout.ts'
import { shareAt, type MapWindow } from './map-window.ts'
import { levelOpacity, type SpectrogramTile } from './spectrogram-tiles.ts'

interface SpectrogramDrawing {
  window: MapWindow
  layout: MapLayout
  tiles: readonly SpectrogramTile[]
}

type Pen = Parameters<LayerPainter>[0]

/** Draws the lanes with the lowest frequency at the bottom; louder is darker. */
export function drawSpectrogram(pen: Pen, { window, layout, tiles }: SpectrogramDrawing): void {
  const { context, palette, ratio } = pen
  const width = layout.width * ratio
  context.clearRect(0, 0, width, layout.height * ratio)
  const opacity = levelOpacity(tiles)
  context.save()
  context.beginPath()
  context.rect(0, 0, width, layout.height * ratio)
  context.clip()
  for (const tile of tiles) {
    const left = shareAt(window, tile.from) * width
    const right = shareAt(window, tile.to) * width
    for (const [index, { top, height }] of layout.lanes.entries()) {
      const picture = paintTile(tile, index, { opacity, colour: palette.text })
      if (picture) context.drawImage(picture, left, top * ratio, right - left, height * ratio)
    }
  }
  context.restore()
  labelAxis(pen, layout, tiles[0]?.maxHz)
}

/** The cached pictures of a tile's lanes and the settings they depend on, since panning and following redraw the same tiles. */
interface PaintedTile {
  key: string
  lanes: Map<number, HTMLCanvasElement>
}

const painted = new WeakMap<SpectrogramTile, PaintedTile>()

function paintTile(
  tile: SpectrogramTile,
  channel: number,
  { opacity, colour }: { opacity: Uint8ClampedArray; colour: string },
): HTMLCanvasElement | undefined {
  const key = `${colour} ${opacity.indexOf(255)}`
  let before = painted.get(tile)
  if (before?.key !== key) painted.set(tile, (before = { key, lanes: new Map() }))
  const known = before.lanes.get(channel)
  const levels = tile.channels[channel]
  if (known || !levels) return known
  const picture = createPicture(levels, tile, { opacity, colour })
  if (picture) before.lanes.set(channel, picture)
  return picture
}

function createPicture(
  levels: Uint8Array,
  { columns, rows }: SpectrogramTile,
  { opacity, colour }: { opacity: Uint8ClampedArray; colour: string },
): HTMLCanvasElement | undefined {
  const canvas = document.createElement('canvas')
  canvas.width = columns
  canvas.height = rows
  const context = canvas.getContext('2d')
  if (!context) return undefined
  const image = context.createImageData(columns, rows)
  for (let column = 0; column < columns; column += 1) {
    for (let row = 0; row < rows; row += 1) {
      const pixel = (rows - 1 - row) * columns + column
      image.data[4 * pixel + 3] = opacity[levels[column * rows + row] ?? 0] ?? 0
    }
  }
  context.putImageData(image, 0, 0)
  // So far the pixels only have an opacity; this gives them their color.
  context.globalCompositeOperation = 'source-in'
  context.fillStyle = colour
  context.fillRect(0, 0, columns, rows)
  return canvas
}

const labelPixels = 10

/** Writes the highest frequency in the corner of each lane. */
function labelAxis({ context, palette, ratio }: Pen, { lanes }: MapLayout, maxHz: number | undefined): void {
  if (maxHz === undefined) return
  const text = t('{frequency} kHz', { frequency: formatNumber(maxHz / 1000) })
  context.font = `${labelPixels * ratio}px system-ui, sans-serif`
  context.textBaseline = 'top'
  // The map runs left to right in every language; without this, text on a right-to-left page would end at this position.
  context.textAlign = 'left'
  for (const { top } of lanes) {
    const { width } = context.measureText(text)
    context.globalAlpha = 0.8
    context.fillStyle = palette.surface
    context.fillRect(0, top * ratio, width + 6 * ratio, (labelPixels + 4) * ratio)
    context.globalAlpha = 1
    context.fillStyle = palette.muted
    context.fillText(text, 3 * ratio, (top + 2) * ratio)
  }
}
